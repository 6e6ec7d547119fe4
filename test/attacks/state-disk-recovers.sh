# When writes to the state disk fail for some seconds, nothing is accepted meanwhile, and the service continues afterwards without a restart.
source "$LIB/world.sh"
needs curl cc
# Preloaded into the service: writes to the state folder fail with EIO while the flag exists.
cat >"$WORLD/eio.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
static int fails(int fd) {
  const char *flag = getenv("EIO_FLAG"), *folder = getenv("EIO_FOLDER");
  if (!flag || !folder || access(flag, F_OK) != 0) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}
#define FAILING(name, type, parameters, arguments) \
  type name parameters { \
    static type (*original) parameters; \
    if (!original) original = dlsym(RTLD_NEXT, #name); \
    if (fails(fd)) { errno = EIO; return -1; } \
    return original arguments; \
  }
FAILING(pwrite64, ssize_t, (int fd, const void *from, size_t count, off64_t at), (fd, from, count, at))
FAILING(write, ssize_t, (int fd, const void *from, size_t count), (fd, from, count))
FAILING(fsync, int, (int fd), (fd))
FAILING(fdatasync, int, (int fd), (fd))
FAILING(ftruncate64, int, (int fd, off64_t size), (fd, size))
END
cc -shared -fPIC -o "$WORLD/eio.so" "$WORLD/eio.c" -ldl 2>/dev/null || skipped 'the library cannot be compiled here'
new_vault
new_token write
export EIO_FLAG=$WORLD/failing EIO_FOLDER=$XDG_STATE_HOME
LD_PRELOAD=$WORLD/eio.so serve
unset LD_PRELOAD
write() { api POST tools/write "{\"input\":{\"path\":\"bucket/$1.md\",\"content\":\"$1\"}}"; }
write before; is_ok || failed "a write before the failure: $STATUS"
touch "$EIO_FLAG"
write meanwhile; is_ok && broken 'a change is accepted that cannot be recorded'
was_refused
[ -e "$vault/bucket/meanwhile.md" ] && broken 'a refused change is in the vault'
api POST updates '{"text":"remember the boiler"}'; is_ok && broken 'an update is accepted that cannot be stored'
rm "$EIO_FLAG"
write after; is_ok || broken "after the failure, the service still answers with $STATUS"
api POST updates '{"text":"remember the roof"}'; is_ok || broken "after the failure, an update gets $STATUS"
serves || broken 'the service has ended'
[ "$(count_updates)" = 1 ] || broken "there are $(count_updates) updates instead of one"
stop
[ -e "$vault/bucket/before.md" ] && [ -e "$vault/bucket/after.md" ] || broken 'a written note is missing'
held
