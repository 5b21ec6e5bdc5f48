#!/usr/bin/env bash
# Gives a command a desktop of its own that nobody sees, and takes all of it away afterwards:
# a screen (Xvfb), a session bus, a window manager, a tray, notifications and an open key ring, in
# a home folder that did not exist before.
#
#   tests/harness/with-desktop.sh COMMAND [ARGUMENTS...]
#
# The command finds, besides DISPLAY, HOME and DBUS_SESSION_BUS_ADDRESS:
#   NAMMA_DESKTOP_LOG   what notifications and tray did, as JSON lines (see desktop.py)
#   NAMMA_ARTIFACTS     a folder for pictures and logs that stay (kept when it was set before)
# NAMMA_SCREEN sets the size of the screen, by default 1280x800x24.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

# Waits until a command succeeds. $1: seconds, $2: what it is, then the command.
wait_for() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS >= deadline)); then
      echo "with-desktop: $what did not come up" >&2
      tail -n 20 "$NAMMA_DESKTOP_HOME"/*.err >&2 || true
      exit 70
    fi
    sleep 0.05
  done
}

inside() {
  local logs=$NAMMA_DESKTOP_HOME
  /usr/bin/python3 "$here/desktop.py" "$NAMMA_DESKTOP_LOG" </dev/null >"$logs/desktop.err" 2>&1 &
  # The unlocked daemon goes to the background by itself.
  printf 'test' | gnome-keyring-daemon --unlock --components=secrets >"$logs/keyring.err" 2>&1
  openbox </dev/null >"$logs/openbox.err" 2>&1 &
  wait_for 60 "the notification service" grep -q '"ready"' "$NAMMA_DESKTOP_LOG"
  wait_for 60 "the window manager" wmctrl -m
  local status=0
  "$@" || status=$?
  if ((status != 0)); then
    import -window root "$NAMMA_ARTIFACTS/last-screen.png" 2>/dev/null || true
  fi
  cp "$NAMMA_DESKTOP_LOG" "$logs"/*.err "$NAMMA_ARTIFACTS/" || true
  return "$status"
}

# Everything that was started in this desktop carries its folder in the environment, also what
# left the process group: the key ring, and what the bus activated.
end_everything() {
  local environment pid
  for environment in /proc/[0-9]*/environ; do
    pid=${environment//[^0-9]/}
    if [[ $pid != "$$" && $pid != "$BASHPID" ]] &&
      grep -qzFx "NAMMA_DESKTOP_HOME=$1" "$environment" 2>/dev/null; then
      kill -KILL "$pid" 2>/dev/null || true
    fi
  done
}

outside() {
  local home status=0
  home=$(mktemp -d "${TMPDIR:-/tmp}/namma-desktop.XXXXXX")
  # The traps use the folder after this function ended.
  trap "end_everything '$home'; rm -rf '$home'" EXIT
  trap 'exit 143' TERM
  trap 'exit 130' INT HUP
  mkdir -p "$home/home" "$home/artifacts"
  mkdir -m 700 "$home/runtime"

  # The toolchain stays where it is although HOME moves.
  export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
  export HOME=$home/home XDG_RUNTIME_DIR=$home/runtime
  unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
  export LANG=C.UTF-8 GDK_BACKEND=x11 NO_AT_BRIDGE=1 GTK_A11Y=none LIBGL_ALWAYS_SOFTWARE=1
  export TAURI_WEBVIEW_AUTOMATION=true
  export NAMMA_DESKTOP_HOME=$home NAMMA_DESKTOP_LOG=$home/desktop.jsonl
  export NAMMA_ARTIFACTS=${NAMMA_ARTIFACTS:-$home/artifacts}
  mkdir -p "$NAMMA_ARTIFACTS"
  rm -f "$NAMMA_ARTIFACTS/last-screen.png"
  touch "$NAMMA_DESKTOP_LOG"

  Xvfb -displayfd 3 -screen 0 "${NAMMA_SCREEN:-1280x800x24}" -nolisten tcp \
    3>"$home/display" </dev/null >"$home/xvfb.err" 2>&1 &
  disown # its end is no news
  wait_for 60 "the screen" grep -q '[0-9]' "$home/display"
  DISPLAY=:$(<"$home/display")
  export DISPLAY

  # In the background and waited for, so that a signal is heard at once.
  dbus-run-session -- "$here/with-desktop.sh" --inside "$@" </dev/null &
  wait $! || status=$?
  exit "$status"
}

case ${1:-} in
  "" | -h | --help)
    sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
    exit 2
    ;;
  --inside)
    shift
    inside "$@"
    ;;
  *) outside "$@" ;;
esac
