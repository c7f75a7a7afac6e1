//! Network ranges, and the client address of requests that come through proxies.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;

/// A network range such as `10.0.0.0/8`, or a single address such as `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Network, String> {
        let wrong = || format!("`{text}` is not a network; write 10.0.0.0/8 or an address");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let max = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(max), |bits| bits.parse().map_err(|_| wrong()))?;
        if bits > max { Err(wrong()) } else { Ok(Network { address, bits }) }
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let prefix = |ip: Ipv4Addr| u32::from(ip).checked_shr(32 - self.bits).unwrap_or(0);
                prefix(own) == prefix(other)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let prefix = |ip: Ipv6Addr| u128::from(ip).checked_shr(128 - self.bits).unwrap_or(0);
                prefix(own) == prefix(other)
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// Whether the address is a trusted proxy.
pub(crate) fn is_trusted(proxies: &[Network], address: IpAddr) -> bool {
    proxies.iter().any(|network| network.contains(address))
}

/// The client's address. `X-Forwarded-For` is read from its end back to the first address that is not a trusted proxy: everything before it
/// could be forged.
pub(crate) fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> IpAddr {
    let mut client = peer.to_canonical();
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let mut listed = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(',').map(str::trim));
    while is_trusted(proxies, client) {
        match listed.next().map(str::parse::<IpAddr>) {
            Some(Ok(address)) => client = address.to_canonical(),
            Some(Err(_)) | None => break,
        }
    }
    client
}

/// Whether the client's connection uses TLS, to this server or to a trusted proxy.
pub(crate) fn is_encrypted(tls: bool, peer: IpAddr, headers: &HeaderMap, proxies: &[Network]) -> bool {
    let forwarded = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    tls || forwarded && is_trusted(proxies, peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn networks_parse_and_contain_their_addresses() {
        let network = |text: &str| text.parse::<Network>().unwrap();
        assert!(network("10.0.0.0/8").contains(ip("10.255.0.1")));
        assert!(!network("10.0.0.0/8").contains(ip("11.0.0.1")));
        assert!(network("127.0.0.1").contains(ip("::ffff:127.0.0.1")));
        assert!(network("0.0.0.0/0").contains(ip("192.0.2.1")) && !network("0.0.0.0/0").contains(ip("::1")));
        assert!(network("2001:db8::/32").contains(ip("2001:db8:1::5")));
        for wrong in ["", "10.0.0.0/33", "x/8", "10.0.0.0/", "::/129"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let proxies: Vec<Network> = ["10.0.0.0/8", "192.0.2.1"].map(|text| text.parse().unwrap()).to_vec();
        let from = |peer: &str, lines: &[&'static str]| {
            let headers =
                lines.iter().map(|line| ("x-forwarded-for".parse().unwrap(), line.parse().unwrap()));
            client_address(ip(peer), &headers.collect(), &proxies).to_string()
        };
        assert_eq!(from("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "not from a trusted proxy");
        assert_eq!(from("10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(from("10.0.0.1", &["1.2.3.4, 198.51.100.1, 192.0.2.1"]), "198.51.100.1");
        assert_eq!(
            from("10.0.0.1", &["1.2.3.4", "198.51.100.1"]),
            "198.51.100.1",
            "the last line is the proxy's"
        );
        assert_eq!(from("10.0.0.1", &["198.51.100.1, rubbish"]), "10.0.0.1");
        assert_eq!(from("10.0.0.1", &[]), "10.0.0.1");
    }
}
