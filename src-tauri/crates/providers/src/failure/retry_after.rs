use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// The longest wait we repeat to anybody.
const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// How long the server asks us to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date.
/// A date is compared with the answer's own `Date`, so that a wrong clock here does no harm.
pub(super) fn read(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return seconds(milliseconds / 1000.0);
    }
    let wait = text(RETRY_AFTER.as_str())?;
    if let Ok(number) = wait.parse::<f64>() {
        return seconds(number);
    }
    let parse = |date: &str| DateTimeParser::new().relaxed_weekday(true).parse_timestamp(date).ok();
    let then = parse(wait)?;
    let now = parse(text(DATE.as_str())?)?;
    Duration::try_from(then.duration_since(now)).ok().map(|wait| wait.min(MAX_WAIT))
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok().map(|wait| wait.min(MAX_WAIT))
}

#[cfg(test)]
mod tests {
    use super::read;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
    use std::time::Duration;

    fn wait(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let pairs =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        read(&pairs.collect::<HeaderMap>())
    }

    #[test]
    fn every_form_of_the_wait_is_read() {
        let table = [
            (&[("retry-after", "2")][..], Some(Duration::from_secs(2))),
            (&[("retry-after", "0.5")], Some(Duration::from_millis(500))),
            (&[("retry-after-ms", "1500"), ("retry-after", "9")], Some(Duration::from_millis(1500))),
            (
                &[("retry-after", "Fri, 01 Mar 2030 08:00:30 GMT"), ("date", "Fri, 01 Mar 2030 08:00:00 GMT")],
                Some(Duration::from_secs(30)),
            ),
            (&[("retry-after", "Fri, 01 Mar 2030 08:00:30 GMT")], None),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "NaN")], None),
            (&[("retry-after", "1e300")], None),
            (&[("retry-after", "99999999")], Some(Duration::from_secs(86400))),
            (&[("retry-after", "soon")], None),
            (&[], None),
        ];
        for (headers, expected) in table {
            assert_eq!(wait(headers), expected, "{headers:?}");
        }
    }
}
