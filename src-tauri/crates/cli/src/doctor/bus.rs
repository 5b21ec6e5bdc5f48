//! One question to the session bus: does anybody own this name?
//!
//! Two messages of the D-Bus protocol, written by hand: a library for them would start threads and
//! weigh more than this whole program. It never waits longer than a second for a reply.

use namma_config::Environment;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(1);
/// The longest reply that is believed.
const MAX_REPLY: usize = 64 * 1024;

/// # Errors
/// In words, why it cannot be told.
pub(crate) fn has_owner(environment: &Environment, name: &str) -> Result<bool, String> {
    let path = socket_path(environment).ok_or("there is no session bus")?;
    let mut bus = UnixStream::connect(&path).map_err(|error| format!("the session bus does not answer: {error}"))?;
    let asked = ask(&mut bus, name);
    asked.map_err(|error| format!("the session bus gave no clear answer: {error}"))
}

/// `unix:path=…` of the address, or where the system puts the socket.
fn socket_path(environment: &Environment) -> Option<String> {
    let address = environment.get("DBUS_SESSION_BUS_ADDRESS");
    let named = address.as_deref().into_iter().flat_map(|all| all.split(';')).find_map(|one| {
        one.strip_prefix("unix:")?.split(',').find_map(|part| part.strip_prefix("path=")).map(str::to_owned)
    });
    named.or_else(|| environment.get("XDG_RUNTIME_DIR").map(|folder| format!("{folder}/bus")))
}

fn ask(bus: &mut UnixStream, name: &str) -> std::io::Result<bool> {
    bus.set_read_timeout(Some(PATIENCE))?;
    bus.set_write_timeout(Some(PATIENCE))?;
    // The kernel tells the bus who we are; the empty answer means "as you see me".
    bus.write_all(b"\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n")?;
    let mut words = 0;
    while words < 2 {
        let mut byte = [0];
        bus.read_exact(&mut byte)?;
        words += usize::from(byte == *b"\n");
    }
    bus.write_all(&call(1, "Hello", None))?;
    bus.write_all(&call(2, "NameHasOwner", Some(name)))?;
    loop {
        let (kind, reply_to, body) = read_message(bus)?;
        match (kind, reply_to) {
            (METHOD_RETURN, 2) => return Ok(body.first() == Some(&1)),
            (ERROR, _) => return Err(std::io::Error::other("it refused")),
            _ => {}
        }
    }
}

const METHOD_RETURN: u8 = 2;
const ERROR: u8 = 3;
const REPLY_SERIAL: u8 = 5;

/// A call to the bus itself, little-endian.
fn call(serial: u32, member: &str, argument: Option<&str>) -> Vec<u8> {
    let mut body = Vec::new();
    if let Some(text) = argument {
        put_string(&mut body, text);
    }
    let mut fields = Vec::new();
    put_field(&mut fields, 1, "o", "/org/freedesktop/DBus");
    put_field(&mut fields, 2, "s", "org.freedesktop.DBus");
    put_field(&mut fields, 3, "s", member);
    put_field(&mut fields, 6, "s", "org.freedesktop.DBus");
    if argument.is_some() {
        align(&mut fields, 8);
        fields.extend_from_slice(&[8, 1, b'g', 0, 1, b's', 0]);
    }
    let mut message = vec![b'l', 1, 0, 1];
    put_u32(&mut message, body.len());
    message.extend_from_slice(&serial.to_le_bytes());
    put_u32(&mut message, fields.len());
    message.extend_from_slice(&fields);
    align(&mut message, 8);
    message.extend_from_slice(&body);
    message
}

fn put_field(fields: &mut Vec<u8>, code: u8, kind: &str, value: &str) {
    align(fields, 8);
    fields.extend_from_slice(&[code, 1]);
    fields.extend_from_slice(kind.as_bytes());
    fields.push(0);
    put_string(fields, value);
}

fn put_string(bytes: &mut Vec<u8>, text: &str) {
    align(bytes, 4);
    put_u32(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
}

fn put_u32(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// The kind of the next message, what it replies to, and its body.
fn read_message(bus: &mut UnixStream) -> std::io::Result<(u8, u32, Vec<u8>)> {
    let mut head = [0; 16];
    bus.read_exact(&mut head)?;
    let number = |at: usize| {
        let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
        if head[0] == b'l' { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    };
    let (body_length, fields_length) = (number(4) as usize, number(12) as usize);
    if body_length > MAX_REPLY || fields_length > MAX_REPLY {
        return Err(std::io::Error::other("it said too much"));
    }
    let mut fields = vec![0; fields_length.next_multiple_of(8)];
    bus.read_exact(&mut fields)?;
    let mut body = vec![0; body_length];
    bus.read_exact(&mut body)?;
    Ok((head[1], reply_serial(&fields, head[0] == b'l'), body))
}

/// The field that says which call is answered: a code, the signature `u`, a number.
fn reply_serial(fields: &[u8], little: bool) -> u32 {
    let found = fields.chunks_exact(8).find(|field| field[..4] == [REPLY_SERIAL, 1, b'u', 0]);
    let Some([_, _, _, _, number @ ..]) = found else { return 0 };
    let Ok(bytes) = number.try_into() else { return 0 };
    if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_may_hold_several_ways() {
        let path = |address: &str| socket_path(&Environment::given([("DBUS_SESSION_BUS_ADDRESS", address)]));
        assert_eq!(path("unix:path=/run/user/1000/bus,guid=aa"), Some("/run/user/1000/bus".into()));
        assert_eq!(path("tcp:host=x;unix:guid=1,path=/tmp/b"), Some("/tmp/b".into()));
        assert_eq!(path("unix:abstract=/tmp/x"), None);
    }

    #[test]
    fn a_bus_that_says_yes_is_understood() -> std::io::Result<()> {
        let (mut ours, mut bus) = UnixStream::pair()?;
        let mut reply = vec![b'l', METHOD_RETURN, 0, 1, 4, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0];
        reply.extend_from_slice(&[REPLY_SERIAL, 1, b'u', 0, 2, 0, 0, 0, 1, 0, 0, 0]);
        bus.write_all(b"DATA\r\nOK 1234\r\n")?;
        bus.write_all(&reply)?;
        assert!(ask(&mut ours, TRAY_LIKE)?);
        Ok(())
    }

    const TRAY_LIKE: &str = "org.example.Tray";
}
