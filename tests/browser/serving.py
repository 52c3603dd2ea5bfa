"""A real server and a real browser, for the browser tests and the live benchmark."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path() -> str | None:
    """The system's Chromium, or none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def served(script: Path | str = "serve.py") -> Iterator[str]:
    """A running server's address; it is stopped afterwards."""
    with running(script) as (address, _):
        yield address


@contextlib.contextmanager
def running(script: Path | str = "serve.py") -> Iterator[tuple[str, int]]:
    """A running server's address and process number; it is stopped afterwards."""
    process, address = next(filter(None, (_start(script) for _ in range(3))), (None, ""))
    if process is None:
        raise RuntimeError("the server did not answer, three times")
    try:
        yield address, process.pid
    finally:
        _stop(process)


def _start(script: Path | str) -> tuple[subprocess.Popen[bytes], str] | None:
    """A server that answers, or none: someone may take the port before it does."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if _answers(f"http://localhost:{port}/_stcore/health", process):
        return process, f"http://localhost:{port}"
    _stop(process)
    return None


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:  # it has nothing left to say
        process.kill()


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Whether it answers within five minutes."""
    for _ in range(3000):
        if process.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(address, timeout=1):
                return process.poll() is None
        except OSError:
            time.sleep(0.1)
    return False


def choose(page, key, path):
    """Put a file into the uploader of that key; uploaders load one by one, in any order."""
    uploader = page.locator(f".st-key-{key} [data-testid=stFileUploader] input")
    uploader.wait_for(state="attached")
    uploader.set_input_files(path)


def launch(playwright):
    """Headless Chromium: the system's, or Playwright's own."""
    return playwright.chromium.launch(
        executable_path=chromium_path(), args=list(FLAGS), timeout=120_000
    )
