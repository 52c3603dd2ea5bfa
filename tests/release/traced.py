"""What a process has told its disk, from a trace of its calls (strace -xx)."""

import re
from dataclasses import dataclass, field

CALLS = (
    "openat,write,pwrite64,fsync,fdatasync,rename,link,unlink,unlinkat,mkdir,rmdir,ftruncate,"
    "close,dup,dup2,renameat,renameat2,linkat,mkdirat,truncate,writev,pwritev,creat,open"
)
CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
STORY = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class Record:
    """Calls that change files below a directory, told of numbered files and directories (0)."""

    root: str
    calls: list = field(default_factory=list)
    _names: dict = field(default_factory=lambda: {0: {}})
    _open: dict = field(default_factory=dict)
    _places: dict = field(default_factory=dict)
    _made: int = 0

    def read(self, trace):
        for line in trace.read_text().splitlines():
            found = CALL.match(line)
            if found and not found[3].startswith("-"):
                self.call(found[1], found[2], int(found[3]))
        return self

    def call(self, name, words, result):
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in STORY.findall(words)]
        number = int(words.split(",")[0]) if words[:1].isdigit() else -1
        if name in ("close", "fsync", "fdatasync", "write", "pwrite64", "ftruncate"):
            if number in self._open:
                self.written(name, number, words, texts, result)
            elif number == 1 and texts[0].startswith(b"said "):
                self.calls.append(("said", texts[0].decode().split()[1:]))
        else:
            paths = [text.decode() for text in texts]
            self.linked(name, words, paths, self._open.get(number), result)

    def written(self, name, number, words, texts, result):
        one = self._open[number]
        match name:
            case "close":
                del self._open[number]
            case "fsync" | "fdatasync":
                self.calls.append(("sync", one))
            case "write" | "pwrite64":
                at = int(words.rsplit(",", 1)[1]) if name == "pwrite64" else self._places[number]
                self._places[number] = at + result
                self.calls.append(("data", one, at, texts[0][:result]))
            case "ftruncate":
                self.calls.append(("size", one, int(words.split(",")[1], 0)))

    def linked(self, name, words, paths, directory, result):
        match name:
            case "openat":
                self.opened(paths[0], result, words)
            case "mkdir":
                self.named(paths[0], self.new())
            case "unlink" | "rmdir" | "unlinkat":
                self.named(paths[0], None, directory)
            case "link":
                self.named(paths[1], self.at(paths[0]))
            case "rename":
                self.renamed(*paths)
            case _ if any(path.startswith(self.root) for path in paths):
                raise NotImplementedError(f"{name} is not understood")

    def new(self):
        self._made += 1
        return self._made

    def split(self, path, directory=None):
        """Directory and last name of a path; none for one somewhere else."""
        if directory is not None and not path.startswith("/"):
            return directory, path
        if not path.startswith(self.root + "/"):
            return None, ""
        *parents, name = path[len(self.root) + 1 :].split("/")
        at = 0
        for parent in parents:
            at = self._names[at][parent]
        return at, name

    def at(self, path):
        if path == self.root:
            return 0
        directory, name = self.split(path)
        return None if directory is None else self._names[directory].get(name)

    def opened(self, path, number, words):
        at = self.at(path)
        if at is None and self.split(path)[0] is not None and "O_CREAT" in words:
            at = self.new()
            self.named(path, at)
        self._open.pop(number, None)
        if at is not None:
            assert "O_TRUNC" not in words and "O_APPEND" not in words, words
            self._open[number], self._places[number] = at, 0

    def named(self, path, target, directory=None):
        directory, name = self.split(path, directory)
        if directory is None:
            return
        self.calls.append(("name", directory, ((name, target),)))
        self._apply(directory, ((name, target),))

    def renamed(self, old, new):
        (directory, before), (other, after) = self.split(old), self.split(new)
        if directory is None and other is None:
            return
        assert directory == other, "renamed into another directory"
        both = ((before, None), (after, self._names[directory][before]))
        self.calls.append(("name", directory, both))
        self._apply(directory, both)

    def _apply(self, directory, pairs):
        for name, target in pairs:
            if target is None:
                self._names[directory].pop(name)
            else:
                self._names[directory][name] = target
                self._names.setdefault(target, {})
