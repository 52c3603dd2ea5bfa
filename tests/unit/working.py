"""What workers are given to do in tests: a module that imports little."""

import os
import signal
import time

import numpy as np

from core.errors import EquipoiseError


def drawn(shared, task):
    print("not an answer")
    return os.getpid(), np.random.default_rng([shared, task]).normal(size=5)


def tables(shared, task):
    source, families = shared
    return source.records, [t.values for t in source.counts(families[task:])]


def fails(shared, task):
    if task == shared:
        raise EquipoiseError(f"task {task} is bad")
    return task


def dies(shared, task):
    if task == shared:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def sleeps(shared, task):
    shared_path, seconds = shared
    (shared_path / f"{os.getpid()}").touch()
    time.sleep(0.0 if task == 0 else seconds)
    return os.getpid()


def breaks(shared, task):
    return 1 / (task - shared)


def slowly(shared, task):
    time.sleep(shared)
    return os.getpid()


def greedy(shared, task):
    return len(bytearray(2**62)) if task == shared else task
