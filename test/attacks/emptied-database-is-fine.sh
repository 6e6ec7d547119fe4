# Nothing acknowledged is lost without a word: an emptied database beside a full history is reported.
source "$LIB/world.sh"
new_vault
printf 'one\n' | k write bucket/a.md >/dev/null 2>&1 || failed 'no note'
echo 'Remember the milk.' | k add - >/dev/null 2>&1
[ "$(count_updates)" = 1 ] || failed 'the update was not accepted'
id=$(newest_change)
state=$(dirname "$(find "$XDG_STATE_HOME" -name keepsake.sqlite)")
commits() { git --git-dir="$state/history.git" rev-list --count refs/heads/main 2>/dev/null || echo none; }
before=$(commits)
rm -f "$state/keepsake.sqlite-wal" "$state/keepsake.sqlite-shm"
: >"$state/keepsake.sqlite" # as a file system leaves it after a power loss
said=$(k updates 2>&1; k doctor 2>&1); code=$?
printf 'two\n' | k write bucket/b.md >"$WORLD/out" 2>&1
after=$(commits)
echo "commits before $before, after a write $after; $(grep -E 'history:|updates:' <<<"$said" | tr '\n' ';')"
grep -vE 'file system:' <<<"$said$(cat "$WORLD/out")" | grep -qiE '^(warn|error|problem)|damaged|lost|set aside|restart' && held
[ "$(count_updates)" = 1 ] && held
broken "an accepted update and the history are gone, and doctor says (exit $code): $(grep -E 'history:|updates:' <<<"$said" | tr '\n' ';')"
