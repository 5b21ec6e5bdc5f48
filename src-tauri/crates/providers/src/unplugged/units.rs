//! Units of measure and how they turn into one another, in exact decimals.

use rust_decimal::Decimal;

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Length,
    Mass,
    Volume,
    Bytes,
    Time,
    Speed,
    Area,
    Temperature,
}

/// A unit of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    measure: Measure,
    /// As it is written in an answer.
    pub(super) shown: &'static str,
    /// How many of the first unit of its measure, and for temperatures its zero.
    factor: &'static str,
    names: &'static [&'static str],
}

/// A number of something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: Decimal,
    pub(super) unit: Unit,
}

const fn unit_of(measure: Measure, shown: &'static str, factor: &'static str, names: &'static [&'static str]) -> Unit {
    Unit { measure, shown, factor, names }
}

/// Gallons, tons and pints are missing: each is two different things.
#[rustfmt::skip]
const UNITS: &[Unit] = &[
    unit_of(Measure::Length, "m", "1", &["m", "metre", "metres", "meter", "meters", "मीटर", "ಮೀಟರ್"]),
    unit_of(Measure::Length, "km", "1000", &["km", "kms", "kilometre", "kilometres", "kilometer", "kilometers", "किमी", "किलोमीटर", "ಕಿಮೀ", "ಕಿಲೋಮೀಟರ್"]),
    unit_of(Measure::Length, "cm", "0.01", &["cm", "centimetre", "centimetres", "centimeter", "centimeters", "सेमी", "ಸೆಂಮೀ"]),
    unit_of(Measure::Length, "mm", "0.001", &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    unit_of(Measure::Length, "miles", "1609.344", &["mile", "miles", "mi", "मील", "meel", "ಮೈಲಿ", "ಮೈಲಿಗಳು"]),
    unit_of(Measure::Length, "yards", "0.9144", &["yard", "yards", "yd"]),
    unit_of(Measure::Length, "feet", "0.3048", &["foot", "feet", "ft", "फ़ुट", "फुट", "ಅಡಿ"]),
    unit_of(Measure::Length, "inches", "0.0254", &["inch", "inches", "इंच", "ಇಂಚು"]),
    unit_of(Measure::Mass, "kg", "1", &["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "किलो", "किग्रा", "ಕೆಜಿ", "ಕಿಲೋ"]),
    unit_of(Measure::Mass, "g", "0.001", &["g", "gram", "grams", "gm", "ग्राम", "ಗ್ರಾಂ"]),
    unit_of(Measure::Mass, "mg", "0.000001", &["mg", "milligram", "milligrams"]),
    unit_of(Measure::Mass, "tonnes", "1000", &["tonne", "tonnes"]),
    unit_of(Measure::Mass, "lb", "0.45359237", &["lb", "lbs", "pound", "pounds", "पाउंड", "ಪೌಂಡ್"]),
    unit_of(Measure::Mass, "oz", "0.028349523125", &["oz", "ounce", "ounces"]),
    unit_of(Measure::Volume, "l", "1", &["l", "litre", "litres", "liter", "liters", "लीटर", "ಲೀಟರ್"]),
    unit_of(Measure::Volume, "ml", "0.001", &["ml", "millilitre", "millilitres", "milliliter", "milliliters"]),
    unit_of(Measure::Bytes, "bytes", "1", &["byte", "bytes"]),
    unit_of(Measure::Bytes, "KB", "1000", &["kb", "kilobyte", "kilobytes"]),
    unit_of(Measure::Bytes, "MB", "1000000", &["mb", "megabyte", "megabytes"]),
    unit_of(Measure::Bytes, "GB", "1000000000", &["gb", "gigabyte", "gigabytes"]),
    unit_of(Measure::Bytes, "TB", "1000000000000", &["tb", "terabyte", "terabytes"]),
    unit_of(Measure::Bytes, "KiB", "1024", &["kib"]),
    unit_of(Measure::Bytes, "MiB", "1048576", &["mib"]),
    unit_of(Measure::Bytes, "GiB", "1073741824", &["gib"]),
    unit_of(Measure::Bytes, "TiB", "1099511627776", &["tib"]),
    unit_of(Measure::Time, "seconds", "1", &["second", "seconds", "sec", "secs", "सेकंड", "ಸೆಕೆಂಡು"]),
    unit_of(Measure::Time, "minutes", "60", &["minute", "minutes", "min", "mins", "मिनट", "ನಿಮಿಷ"]),
    unit_of(Measure::Time, "hours", "3600", &["hour", "hours", "hr", "hrs", "घंटे", "घंटा", "ಗಂಟೆ"]),
    unit_of(Measure::Time, "days", "86400", &["day", "days", "दिन", "ದಿನ"]),
    unit_of(Measure::Time, "weeks", "604800", &["week", "weeks", "हफ़्ते", "हफ्ते", "ವಾರ"]),
    unit_of(Measure::Speed, "km/h", "1000", &["km/h", "kmh", "kph", "kmph", "km per hour", "kilometres per hour", "kilometers per hour"]),
    unit_of(Measure::Speed, "mph", "1609.344", &["mph", "miles per hour"]),
    unit_of(Measure::Speed, "m/s", "3600", &["m/s", "metres per second", "meters per second"]),
    unit_of(Measure::Area, "m²", "1", &["m²", "m2", "sqm", "square metre", "square metres", "square meter", "square meters"]),
    unit_of(Measure::Area, "km²", "1000000", &["km²", "km2", "square kilometre", "square kilometres", "square kilometers"]),
    unit_of(Measure::Area, "sq ft", "0.09290304", &["sqft", "sq ft", "square foot", "square feet"]),
    unit_of(Measure::Area, "hectares", "10000", &["hectare", "hectares", "ha"]),
    unit_of(Measure::Area, "acres", "4046.8564224", &["acre", "acres", "एकड़", "ಎಕರೆ"]),
    unit_of(Measure::Temperature, "°C", "0", &["°c", "c", "celsius", "centigrade", "degrees celsius", "degree celsius", "degrees c", "सेल्सियस", "ಸೆಲ್ಸಿಯಸ್"]),
    unit_of(Measure::Temperature, "°F", "32", &["°f", "f", "fahrenheit", "degrees fahrenheit", "degree fahrenheit", "degrees f", "फ़ारेनहाइट", "ಫ್ಯಾರನ್ಹೀಟ್"]),
    unit_of(Measure::Temperature, "K", "-273.15", &["k", "kelvin"]),
];

/// Decimals that are shown.
const PLACES: u32 = 6;

/// A unit by its name, in folded form.
pub(super) fn unit(name: &str) -> Option<Unit> {
    UNITS.iter().find(|unit| unit.names.contains(&name)).copied()
}

/// "5 km", "5km", "98.6 degrees f", "a day".
pub(super) fn quantity(words: &[&str]) -> Option<Quantity> {
    let (first, rest) = words.split_first()?;
    if rest.is_empty() {
        let letters = first.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-')))?;
        let (number, name) = first.split_at(letters);
        return Some(Quantity { number: super::sums::number(number)?, unit: unit(name)? });
    }
    let number = if matches!(*first, "a" | "an" | "one" | "एक" | "ಒಂದು") {
        Decimal::ONE
    } else {
        super::sums::number(first)?
    };
    Some(Quantity { number, unit: unit(&rest.join(" "))? })
}

/// The same in another unit: the number, and whether it was rounded. `None` when the units measure
/// different things or the number is too large.
pub(super) fn convert(from: &Quantity, to: Unit) -> Option<(Decimal, bool)> {
    if from.unit.measure != to.measure {
        return None;
    }
    let exact = if to.measure == Measure::Temperature {
        from_celsius(to_celsius(from.number, from.unit)?, to)?
    } else {
        let factor = |unit: Unit| unit.factor.parse::<Decimal>().ok();
        from.number.checked_mul(factor(from.unit)?)?.checked_div(factor(to)?)?
    };
    // A small number keeps its leading digits.
    let is_small = exact.abs() < Decimal::new(1, 2);
    let rounded = if is_small { exact.round_sf(PLACES)? } else { exact.round_dp(PLACES) };
    Some((rounded.normalize(), rounded != exact))
}

fn to_celsius(number: Decimal, unit: Unit) -> Option<Decimal> {
    match unit.shown {
        "°F" => number.checked_sub(Decimal::from(32))?.checked_mul(Decimal::from(5))?.checked_div(Decimal::from(9)),
        "K" => number.checked_add(unit.factor.parse().ok()?),
        _ => Some(number),
    }
}

fn from_celsius(number: Decimal, unit: Unit) -> Option<Decimal> {
    match unit.shown {
        "°F" => number.checked_mul(Decimal::from(9))?.checked_div(Decimal::from(5))?.checked_add(Decimal::from(32)),
        "K" => number.checked_sub(unit.factor.parse().ok()?),
        _ => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::fold;
    use super::*;

    fn converted(from: &str, to: &str) -> Option<String> {
        let from = quantity(&from.split(' ').collect::<Vec<_>>())?;
        convert(&from, unit(to)?).map(|(number, _)| number.to_string())
    }

    #[test]
    fn units_turn_into_one_another() {
        for (from, to, expected) in [
            ("5 km", "miles", "3.106856"),
            ("5km", "m", "5000"),
            ("98.6 f", "c", "37"),
            ("-40 °c", "°f", "-40"),
            ("0 k", "c", "-273.15"),
            ("1.5 gb", "mb", "1500"),
            ("a week", "hours", "168"),
            ("1 mm", "miles", "0.000000621371"),
        ] {
            assert_eq!(converted(from, to).as_deref(), Some(expected), "{from} in {to}");
        }
        assert_eq!(converted("5 km", "kg"), None);
        assert_eq!(converted("79228162514264337593543950335 tb", "bytes"), None, "too large");
    }

    #[test]
    fn each_name_means_one_unit_and_is_in_folded_form() {
        let mut seen = std::collections::BTreeSet::new();
        for unit in UNITS {
            assert!(unit.factor.parse::<Decimal>().is_ok(), "{}", unit.factor);
            for name in unit.names {
                assert!(seen.insert(name), "{name} twice");
                assert_eq!(fold(name), *name);
            }
        }
    }
}
