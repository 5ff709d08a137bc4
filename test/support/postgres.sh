#!/usr/bin/env bash
# A real PostgreSQL 17 with pgvector for the tests, on loopback, without Docker.
#
#   test/support/postgres.sh start   prints the database's URL as its last line; safe to repeat
#   test/support/postgres.sh status  exits with 0 when the server runs
#   test/support/postgres.sh stop    stops the server and unmounts; what was installed stays for the next start
#
# ENGRAM_TEST_DATABASE_URL   use this server as it is; nothing is installed, started or stopped
# ENGRAM_POSTGRES_CACHE      where the installation and its state are kept
#
# Debian 13 and later have both packages. Debian 12 has PostgreSQL 15 without a recent pgvector, so there a minimal
# Debian 13 is unpacked into the cache directory and the server runs inside it.
set -euo pipefail

readonly MAJOR=17
readonly CLUSTER=engram
readonly DATABASE=engram_test
readonly SUITE=trixie
readonly FIRST_PORT=55432
readonly LAST_PORT=55531
readonly CACHE=${ENGRAM_POSTGRES_CACHE:-/var/cache/engram-postgres}
readonly ROOT=$CACHE/root
# Written last: an interrupted installation has none and is made again.
readonly COMPLETE=$ROOT/.engram-complete
readonly PORT_FILE=$CACHE/port

say() { echo "postgres.sh: $*" >&2; }

fail() {
  say "$*"
  say 'Set ENGRAM_TEST_DATABASE_URL to a PostgreSQL 15+ with pgvector 0.8+ to use that instead.'
  exit 1
}

main() {
  case ${1:-} in
    start | status | stop) ;;
    *)
      echo "usage: ${0##*/} start|status|stop" >&2
      exit 2
      ;;
  esac
  if [[ -n ${ENGRAM_TEST_DATABASE_URL:-} ]]; then
    if [[ $1 == start ]]; then echo "$ENGRAM_TEST_DATABASE_URL"; fi
    return
  fi
  mode=$(installation_mode)
  [[ $EUID -eq 0 ]] || fail 'Installing and starting PostgreSQL needs root.'
  mkdir -p "$CACHE"
  # Two runs at once would unpack into one directory. Descriptor 9 is closed for the server, which outlives this script.
  exec 9>"$CACHE/lock"
  flock --wait 600 9 || fail 'Another start or stop has held the lock for ten minutes.'
  "$1"
}

# Prints `host` when this machine has the packages, `chroot` when they have to run inside an unpacked Debian 13.
installation_mode() {
  local id='' release=''
  if [[ -r /etc/os-release ]]; then
    id=$(. /etc/os-release && echo "${ID:-}")
    release=$(. /etc/os-release && echo "${VERSION_ID:-}")
  fi
  [[ $id == debian ]] || fail 'PostgreSQL can be installed here on Debian only.'
  # Testing and unstable carry no number.
  if [[ -z $release || $release -ge 13 ]]; then
    echo host
  elif [[ $release -eq 12 ]]; then
    echo chroot
  else
    fail "Debian $release is too old to be a base for PostgreSQL $MAJOR."
  fi
}

# --- installing ---

install_packages() {
  if [[ $mode == host ]]; then install_on_host; else install_in_root; fi
}

install_on_host() {
  if [[ -x /usr/lib/postgresql/$MAJOR/bin/postgres && -f /usr/share/postgresql/$MAJOR/extension/vector.control ]]; then
    return
  fi
  say "installing PostgreSQL $MAJOR and pgvector"
  # Without this the package also makes and starts a server of its own on port 5432.
  local switch=/etc/postgresql-common/createcluster.d/engram-test.conf
  mkdir -p "${switch%/*}"
  echo 'create_main_cluster = false' >"$switch"
  local status=0
  apt_install "postgresql-$MAJOR" "postgresql-$MAJOR-pgvector" || status=$?
  rm -f "$switch"
  [[ $status -eq 0 ]] || fail "apt-get could not install PostgreSQL $MAJOR with pgvector."
}

install_in_root() {
  if [[ -f $COMPLETE ]]; then return; fi
  command -v debootstrap >/dev/null || apt_install debootstrap || fail 'apt-get could not install debootstrap.'
  remove_root
  say "unpacking Debian $SUITE with PostgreSQL $MAJOR into $ROOT (about two minutes)"
  mkdir -p "$ROOT"
  if ! debootstrap --variant=minbase --include="postgresql-$MAJOR,postgresql-$MAJOR-pgvector" \
    "$SUITE" "$ROOT" >"$CACHE/debootstrap.log" 2>&1; then
    tail -n 20 "$CACHE/debootstrap.log" >&2
    fail "debootstrap failed; its whole output is in $CACHE/debootstrap.log."
  fi
  rm -rf "$ROOT"/var/cache/apt/archives/*.deb
  touch "$COMPLETE"
}

apt_install() {
  # One unreachable third-party source must not stop an installation that does not need it.
  apt-get update -qq >"$CACHE/apt.log" 2>&1 || say 'apt-get update reported errors; trying with the lists at hand'
  if ! DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >>"$CACHE/apt.log" 2>&1; then
    tail -n 20 "$CACHE/apt.log" >&2
    return 1
  fi
}

# Deleting through a mounted /dev would delete the machine's own devices, so nothing goes while anything is mounted.
remove_root() {
  if [[ ! -e $ROOT ]]; then return; fi
  say "removing the unfinished installation in $ROOT"
  unmount_root
  rm -rf --one-file-system "$ROOT"
}

# --- mounting ---

mount_root() {
  if [[ $mode == host ]]; then return; fi
  if ! mountpoint -q "$ROOT/proc"; then
    mount -t proc proc "$ROOT/proc" || fail "Could not mount $ROOT/proc."
  fi
  if ! mountpoint -q "$ROOT/dev"; then
    mount --rbind /dev "$ROOT/dev" || fail "Could not mount $ROOT/dev."
    # A slave: unmounting it later must not unmount the machine's own /dev/pts and /dev/shm.
    mount --make-rslave "$ROOT/dev"
  fi
}

unmount_root() {
  if [[ $mode == host ]]; then return; fi
  local directory
  for directory in dev proc; do
    if mountpoint -q "$ROOT/$directory"; then umount --recursive "$ROOT/$directory"; fi
  done
  # debootstrap mounts too, and leaves that behind when it is killed.
  while read -r directory; do umount "$directory"; done < <(mounts_in_root)
  [[ -z $(mounts_in_root) ]] || fail "Something is still mounted inside $ROOT."
}

# Deepest first.
mounts_in_root() {
  awk -v prefix="$ROOT/" 'index($5, prefix) == 1 { print $5 }' /proc/self/mountinfo | sort -r
}

# --- the server ---

# Runs a command where the server is installed.
inside() {
  local clean=(env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8)
  if [[ $mode == host ]]; then
    "${clean[@]}" "$@" 9>&-
  else
    chroot "$ROOT" "${clean[@]}" "$@" 9>&-
  fi
}

port() { cat "$PORT_FILE"; }

sql() { inside psql --no-psqlrc --quiet --tuples-only --no-align -h 127.0.0.1 -p "$(port)" -U postgres "$@"; }

# The cluster is asked, not the port: a stranger may answer there.
is_running() { inside pg_ctlcluster "$MAJOR" "$CLUSTER" status >/dev/null 2>&1; }

has_cluster() { [[ -f $PORT_FILE ]] && inside test -f "/etc/postgresql/$MAJOR/$CLUSTER/postgresql.conf"; }

port_is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

choose_port() {
  local candidate
  for ((candidate = FIRST_PORT; candidate <= LAST_PORT; candidate++)); do
    if ! port_is_taken "$candidate"; then
      echo "$candidate" >"$PORT_FILE"
      return
    fi
  done
  fail "No free port between $FIRST_PORT and $LAST_PORT."
}

create_cluster() {
  inside pg_dropcluster --stop "$MAJOR" "$CLUSTER" >/dev/null 2>&1 || true
  choose_port
  inside pg_createcluster "$MAJOR" "$CLUSTER" --port "$(port)" --start-conf manual \
    --locale C.UTF-8 --encoding UTF8 -- --auth=trust >"$CACHE/createcluster.log" 2>&1 ||
    fail "Could not create a cluster; see $CACHE/createcluster.log."
  inside tee "/etc/postgresql/$MAJOR/$CLUSTER/conf.d/test.conf" >/dev/null <<'CONF'
# Fast rather than durable: what is in it is thrown away.
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 200
listen_addresses = '127.0.0.1'
CONF
}

launch() {
  if port_is_taken "$(port)"; then
    choose_port
    inside pg_conftool "$MAJOR" "$CLUSTER" set port "$(port)"
  fi
  inside pg_ctlcluster --skip-systemctl-redirect "$MAJOR" "$CLUSTER" start >&2
}

start() {
  install_packages
  mount_root
  if ! has_cluster; then create_cluster; fi
  if ! is_running && ! launch; then
    # Without fsync a machine that went down can leave files no server opens. Nothing in them is worth keeping.
    say 'the server did not start; making a new cluster'
    create_cluster
    launch || fail "PostgreSQL did not start; see its log in /var/log/postgresql."
  fi
  if [[ $(sql -d postgres -c "SELECT 1 FROM pg_database WHERE datname = '$DATABASE'") != 1 ]]; then
    sql -d postgres -c "CREATE DATABASE $DATABASE"
  fi
  echo "postgresql://postgres@127.0.0.1:$(port)/$DATABASE"
}

status() { [[ -f $PORT_FILE ]] && is_running; }

stop() {
  if [[ $mode == chroot && ! -f $COMPLETE ]]; then
    unmount_root
    return
  fi
  mount_root
  if has_cluster && is_running; then
    inside pg_ctlcluster --skip-systemctl-redirect "$MAJOR" "$CLUSTER" stop -m fast >&2
  fi
  unmount_root
}

main "$@"
