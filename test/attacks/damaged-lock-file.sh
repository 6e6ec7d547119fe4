# If files of the state folder are damaged, only operations that need them stop, and doctor says what to do.
source "$LIB/world.sh"
new_vault
printf 'one\n' | k write bucket/a.md >/dev/null 2>&1 || failed 'no note'
state=$(dirname "$(find "$XDG_STATE_HOME" -name lock.sqlite)")
broke=''
for file in lock.sqlite keepsake.sqlite; do
  cp "$state/$file" "$WORLD/saved"
  rm -f "$state/$file-wal" "$state/$file-shm"
  dd if=/dev/zero of="$state/$file" bs=1 count=200 conv=notrunc 2>/dev/null
  # Before the note is read, which replaces a damaged lock file.
  k doctor >"$WORLD/doctor" 2>&1
  k read bucket/a.md >"$WORLD/read" 2>&1; read_code=$?
  grep -q one "$WORLD/read" || broke+="with a damaged $file a note cannot be read (exit $read_code); "
  tr -d '\n' <"$WORLD/doctor" | tr -s ' ' | grep -qE "(failed|warning) .*$file" ||
    broke+="doctor does not name a damaged $file: $(tail -1 "$WORLD/doctor" | sed 's#/[^ ]*/##g') "
  cp "$WORLD/saved" "$state/$file"
done
[ -z "$broke" ] && held
broken "$broke"
