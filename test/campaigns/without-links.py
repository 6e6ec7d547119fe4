# A FUSE file system that mirrors a folder, without hard links and with plain renames only.
import errno
import os
import sys

from fusepy import FUSE, FuseOSError, Operations

source, mount_point = sys.argv[1:]


class WithoutLinks(Operations):
    def __call__(self, operation, path, *arguments):
        try:
            return super().__call__(operation, source + path, *arguments)
        except OSError as error:
            raise FuseOSError(error.errno) from error

    def getattr(self, path, handle=None):
        found = os.lstat(path) if handle is None else os.fstat(handle)
        return {
            name: getattr(found, name)
            for name in ("st_mode", "st_size", "st_mtime", "st_ctime", "st_atime", "st_nlink", "st_uid", "st_gid", "st_ino")
        }

    def readdir(self, path, handle):
        return [".", "..", *os.listdir(path)]

    def open(self, path, flags):
        return os.open(path, flags)

    def create(self, path, mode, info=None):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

    def read(self, path, size, offset, handle):
        return os.pread(handle, size, offset)

    def write(self, path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, handle=None):
        os.truncate(path if handle is None else handle, length)

    def fsync(self, path, only_data, handle):
        os.fsync(handle)

    def release(self, path, handle):
        os.close(handle)

    def rename(self, old, new):
        os.rename(old, source + new)

    def mkdir(self, path, mode):
        os.mkdir(path, mode)

    def rmdir(self, path):
        os.rmdir(path)

    def unlink(self, path):
        os.unlink(path)

    def chmod(self, path, mode):
        os.chmod(path, mode)

    def utimens(self, path, times=None):
        os.utime(path, times)

    def link(self, target, name):
        raise FuseOSError(errno.EPERM)


FUSE(WithoutLinks(), mount_point, foreground=True, use_ino=True, default_permissions=True)
