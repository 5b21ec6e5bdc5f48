#!/usr/bin/python3
"""Plays the parts of a desktop that the app talks to over D-Bus, and writes down what it hears.

It owns `org.freedesktop.Notifications` and `org.kde.StatusNotifierWatcher` on the session bus, so
that notifications and the tray icon work on a machine without a screen. Each thing that happens
becomes one JSON line in the file named as the only argument; the first line is `{"event": "ready"}`.

    {"event": "notification", "id", "app", "summary", "body", "actions"}
    {"event": "notification_closed", "id"}
    {"event": "tray_registered", "service", "path"}
    {"event": "tray_gone", "service"}

A test presses a button of a notification with

    gdbus call --session -d org.freedesktop.Notifications -o /org/freedesktop/Notifications \\
        -m org.namma.TestDesktop.Press ID ACTION
"""

import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NOTIFICATIONS = "org.freedesktop.Notifications"
WATCHER = "org.kde.StatusNotifierWatcher"
TEST_DESKTOP = "org.namma.TestDesktop"
CLOSED_BY_CALL = 3
CLOSED_BY_PERSON = 2


class Diary:
    def __init__(self, path):
        self.file = open(path, "a", buffering=1, encoding="utf-8")

    def write(self, event, **facts):
        self.file.write(json.dumps({"event": event, **facts}, ensure_ascii=False) + "\n")


class Notifications(dbus.service.Object):
    def __init__(self, bus, diary):
        super().__init__(bus, "/org/freedesktop/Notifications")
        self.diary = diary
        self.last_id = 0

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout_ms):
        if not replaces:
            self.last_id += 1
        number = int(replaces) or self.last_id
        pairs = [str(word) for word in actions]
        self.diary.write(
            "notification",
            id=number,
            app=str(app),
            summary=str(summary),
            body=str(body),
            actions=dict(zip(pairs[::2], pairs[1::2])),
        )
        return dbus.UInt32(number)

    @dbus.service.method(NOTIFICATIONS, in_signature="u")
    def CloseNotification(self, number):
        self.diary.write("notification_closed", id=int(number))
        self.NotificationClosed(number, CLOSED_BY_CALL)

    @dbus.service.method(NOTIFICATIONS, out_signature="as")
    def GetCapabilities(self):
        return ["body", "actions", "persistence"]

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss")
    def GetServerInformation(self):
        return ("test desktop", "namma", "1", "1.2")

    @dbus.service.method(TEST_DESKTOP, in_signature="us")
    def Press(self, number, action):
        self.ActionInvoked(number, action)
        self.NotificationClosed(number, CLOSED_BY_PERSON)

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, action):
        pass


class Tray(dbus.service.Object):
    def __init__(self, bus, diary):
        super().__init__(bus, "/StatusNotifierWatcher")
        self.bus = bus
        self.diary = diary
        self.items = {}

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, name, sender):
        # An item names either its bus name or its object path.
        path = str(name) if name.startswith("/") else "/StatusNotifierItem"
        service = str(sender) if name.startswith("/") else str(name)
        self.items[service] = path
        self.bus.watch_name_owner(service, lambda owner: None if owner else self.forget(service))
        self.diary.write("tray_registered", service=service, path=path)
        self.StatusNotifierItemRegistered(service + path)

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, name):
        self.StatusNotifierHostRegistered()

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        items = [service + path for service, path in self.items.items()]
        return {
            "RegisteredStatusNotifierItems": dbus.Array(items, signature="s"),
            "IsStatusNotifierHostRegistered": dbus.Boolean(True),
            "ProtocolVersion": dbus.Int32(0),
        }

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemRegistered(self, item):
        pass

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemUnregistered(self, item):
        pass

    @dbus.service.signal(WATCHER)
    def StatusNotifierHostRegistered(self):
        pass

    def forget(self, service):
        path = self.items.pop(service, None)
        if path is not None:
            self.diary.write("tray_gone", service=service)
            self.StatusNotifierItemUnregistered(service + path)


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    diary = Diary(sys.argv[1])
    # Names and objects live as long as somebody holds them.
    held = [Notifications(bus, diary), Tray(bus, diary)]
    held += [dbus.service.BusName(name, bus) for name in (NOTIFICATIONS, WATCHER)]
    diary.write("ready")
    GLib.MainLoop().run()
    return held


if __name__ == "__main__":
    main()
