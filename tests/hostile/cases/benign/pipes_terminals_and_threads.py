# never: honest code loses a mark
# twin: 20 21
# look: chapter3.div chapter3.sub

#@ before ops.py
import asyncio, mmap, os, shutil, tempfile, threading
try:
    import fcntl
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_inheritable(read, True)
    assert not os.get_blocking(read) and os.get_inheritable(read)
    assert fcntl.fcntl(write, fcntl.F_GETFD) and not os.isatty(write)
    with os.fdopen(os.dup(write), "wb") as one:
        one.write(b"x")
    assert os.read(read, 9) == b"x"
    assert os.fstat(0) and os.read(0, 1) == b""
except ImportError:
    pass
shutil.get_terminal_size()
asyncio.run(asyncio.to_thread(abs, -1))
threads = [threading.Thread(target=sum, args=(range(1000),)) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with mmap.mmap(-1, 4096) as shared:  # of this process and its own children
    shared[:1] = b"x"
with open(os.__file__, "rb") as file:
    assert file.readline() and os.fstat(file.fileno()).st_atime
