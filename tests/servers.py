"""Servers that tests start for themselves on loopback, and end: PostgreSQL, Spark."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from unittest import mock

import pytest

SECONDS = 120
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
BRISK = f"""spark.sql.shuffle.partitions 4
spark.sql.codegen.wholeStage false
spark.driver.extraJavaOptions {JAVA}
spark.executor.extraJavaOptions {JAVA}
"""
"""A few rows: not in 200 pieces for each question, and nothing compiled for the next million."""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listening(port, process):
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise AssertionError("the server did not come up")


def answering(address):
    psycopg = pytest.importorskip("psycopg")
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return psycopg.connect(address).close()
        except psycopg.OperationalError:  # it is starting up
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def ended(process, sign=signal.SIGTERM):
    process.send_signal(sign)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(20)


def postgres_programs():
    found = shutil.which("initdb")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found and not places:
        pytest.skip("PostgreSQL is not installed; .ci/servers installs it where it can")
    return Path(found).parent if found else places[-1].parent


@contextlib.contextmanager
def postgres(password):
    """A server of its own in a folder of its own; yields an address without a table."""
    programs, port = postgres_programs(), free_port()
    folder = Path(tempfile.mkdtemp(prefix="equipoise-pg-"))
    other = {}
    if os.getuid() == 0:  # PostgreSQL refuses to be run by root
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        other = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    secret = folder / "password"
    secret.write_text(password)
    secret.chmod(0o644)
    data = folder / "data"
    make = [programs / "initdb", "-D", data, "-U", "steward", "-E", "UTF8", "--no-sync",
            "-A", "scram-sha-256", f"--pwfile={secret}"]  # fmt: skip
    subprocess.run(make, check=True, capture_output=True, cwd=folder, timeout=SECONDS, **other)
    serve = [programs / "postgres", "-D", data, "-p", str(port), "-k", folder,
             "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]  # fmt: skip
    log = (folder / "log").open("wb")
    process = subprocess.Popen(serve, cwd=folder, stdout=log, stderr=log, **other)
    try:
        listening(port, process)
        address = f"postgresql://steward:{password}@127.0.0.1:{port}/postgres"
        answering(address)
        yield address
    finally:
        ended(process, signal.SIGINT)  # does not wait for those who are connected
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def spark():
    """A master and two workers; yields the master's address."""
    if shutil.which("java") is None:
        pytest.skip("Java is not installed; .ci/servers installs it where it can")
    home = Path(pytest.importorskip("pyspark").__file__).parent
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="equipoise-spark-"))
    environment = os.environ | {
        "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), "SPARK_WORKER_DIR": str(folder),
        "SPARK_LOCAL_DIRS": str(folder), "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": JAVA,
        "PYSPARK_PYTHON": sys.executable,
    }  # fmt: skip
    (folder / "spark-defaults.conf").write_text(BRISK)
    run = [home / "bin" / "spark-class"]
    deploy = "org.apache.spark.deploy"
    quiet = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "cwd": folder}  # fmt: skip
    master = subprocess.Popen(
        [*run, f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port),
         "--webui-port", str(free_port())], **quiet)  # fmt: skip
    workers = []
    try:
        listening(port, master)
        workers = [
            subprocess.Popen(
                [*run, f"{deploy}.worker.Worker", "--host", "127.0.0.1", "-c", "1", "-m", "1200m",
                 "--webui-port", str(free_port()), f"spark://127.0.0.1:{port}"], **quiet)
            for _ in range(2)
        ]  # fmt: skip
        guard = threading.Timer(3 * SECONDS, master.kill)  # a driver without a master gives up
        guard.start()
        with mock.patch.dict(os.environ, SPARK_LOCAL_IP="127.0.0.1", SPARK_CONF_DIR=str(folder)):
            yield f"spark://127.0.0.1:{port}"
        guard.cancel()
    finally:
        for process in (*workers, master):
            ended(process)
        shutil.rmtree(folder, ignore_errors=True)
