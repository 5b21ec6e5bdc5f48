//! Which addresses are the public internet, and which are near: one judgement for what is fetched
//! and what is opened.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address belongs to the public internet. What is not known to be public is not.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether a name can only mean something near: this computer, the local network, the cloud's own
/// services. Everything else is judged by the addresses it resolves to.
pub fn is_private_name(name: &str) -> bool {
    const ENDINGS: [&str; 9] =
        ["localhost", "local", "internal", "localdomain", "lan", "intranet", "corp", "home", "home.arpa"];
    const NAMES: [&str; 2] = ["metadata.goog", "kubernetes.default.svc"];
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let ends = |ending: &&str| name == **ending || name.ends_with(&format!(".{ending}"));
    !name.contains('.') || NAMES.contains(&name.as_str()) || ENDINGS.iter().any(ends)
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    let private = match (a, b, c, d) {
        // this network, private networks, loopback
        (0 | 10 | 127, ..) | (172, 16..=31, ..) | (192, 168, ..) => true,
        // shared by carriers; some clouds keep their metadata there
        (100, 64..=127, ..) => true,
        // link-local, with the metadata of most clouds
        (169, 254, ..) => true,
        // protocol assignments, documentation, the old 6to4 relay, benchmarks
        (192, 0, 0 | 2, _) | (192, 88, 99, _) | (198, 18..=19, ..) | (198, 51, 100, _) | (203, 0, 113, _) => true,
        // Azure's own service on every virtual machine
        (168, 63, 129, 16) => true,
        // multicast, reserved, broadcast
        (224.., ..) => true,
        _ => false,
    };
    !private
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    // An IPv4 address in other clothes is judged as what it is.
    match parts {
        [0, 0, 0, 0, 0, 0xffff, high, low] => return is_public_v4(embedded(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => return is_public_v4(embedded(high, low)),
        [0x2002, high, low, ..] => return is_public_v4(embedded(high, low)),
        _ => {}
    }
    let special = match parts {
        // Teredo, benchmarks, ORCHID and other assignments
        [0x2001, 0..=0x1ff, ..] => true,
        // documentation
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => true,
        // an IPv4 address behind an ISATAP tunnel
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => true,
        _ => false,
    };
    // Only 2000::/3 is the public internet: loopback, link-local, local and multicast are outside.
    (0x2000..=0x3fff).contains(&parts[0]) && !special
}

fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::{is_private_name, is_public};
    use std::net::IpAddr;

    fn public(text: &str) -> bool {
        is_public(text.parse::<IpAddr>().expect("an address"))
    }

    #[test]
    fn private_and_special_addresses_are_not_public() {
        let table = [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "168.63.129.16",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::a00:1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::1",
            "2002:c0a8:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2a00::5efe:7f00:1",
            "2a00::200:5efe:a00:1",
        ];
        for address in table {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn the_internet_is_public() {
        let table = [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.1",
            "93.184.215.14",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "169.253.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "2a00:1450::1",
        ];
        for address in table {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn names_of_this_computer_and_its_surroundings_are_private() {
        let private = [
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer.local",
            "router",
            "metadata",
            "metadata.google.internal",
            "metadata.google.internal.",
            "metadata.goog",
            "nas.lan",
            "x.home.arpa",
            "instance-data.ec2.internal",
        ];
        for name in private {
            assert!(is_private_name(name), "{name}");
        }
        for name in ["example.org", "local.example.org", "internal.example", "notlocalhost.com", "lan.party"] {
            assert!(!is_private_name(name), "{name}");
        }
    }
}
