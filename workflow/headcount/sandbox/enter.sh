# Runs a command where there is an interpreter and nothing else: no network, nobody's files, nowhere to write.
#
# enter.sh WHO ROOT PREFIX COMMAND...
#   WHO     `root` where the machine's root starts it, else `user`
#   ROOT    an empty folder to build on; what is mounted there only this process and its children see
#   PREFIX  where the interpreter is installed
#
# It is the first process of new mount, PID, network, IPC and UTS namespaces and may mount in them: as root, or as root
# of a new user namespace. The command may not: it is nobody, in a user namespace of its own.
set -eu

who=$1 root=$2 prefix=$3
shift 3

show() { # a folder of the machine, under its own name
  mkdir -p "$root/jail$1"
  mount --rbind "$1" "$root/jail$1"
}

mount --make-rprivate /
mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"
mkdir "$root/jail" "$root/machine" "$root/jail/dev" "$root/jail/etc"

for name in usr bin sbin lib lib32 lib64; do
  if [ -L "/$name" ]; then
    cp -P "/$name" "$root/jail/$name"
  elif [ -d "/$name" ]; then
    show "/$name"
  else
    continue
  fi
  ln -s "jail/$name" "$root/$name" # for the last commands below, when $root is /
done
case $prefix/ in /usr/*) ;; *) show "$prefix" ;; esac
for file in /dev/null /etc/ld.so.cache; do
  if [ -e "$file" ]; then
    : > "$root/jail$file"
    mount --bind "$file" "$root/jail$file"
  fi
done
ln -s machine/proc "$root/proc" # umount reads it

places=$(findmnt --list --noheadings --output TARGET --submounts "$root")
printf '%s\n' "$places" | while IFS= read -r place; do
  mount -o remount,bind,ro,nosuid "$place"
done

cd "$root"
pivot_root . machine
umount -l /machine

# The machine's root has no limit on processes, so it becomes nobody there too. And where the root directory is not the
# namespace's own (/jail, not /), Linux allows no further user namespace, in which there would be rights to win.
drop=
if [ "$who" = root ]; then drop="setpriv --reuid=65534 --regid=65534 --clear-groups --"; fi
exec $drop unshare --user --root=/jail --wd=/ -- setpriv --no-new-privs --pdeathsig KILL -- "$@"
