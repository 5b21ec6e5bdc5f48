//! Reads how many tests passed and failed from what the test runners print at the end.
//!
//! Each runner is recognised by its own closing line, so that one log may hold several of them.
//! To support another runner, add an arm to [`closing_line`] and a sample to the tests.

use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Counts {
    pub(crate) const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    pub(crate) fn read(log: &str) -> Self {
        let mut total = Self::default();
        for line in log.lines() {
            if let Some(found) = closing_line(&without_colours(line)) {
                total += found;
            }
        }
        total
    }
}

fn closing_line(line: &str) -> Option<Counts> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("test result: ") {
        // cargo: `test result: ok. 3 passed; 0 failed; 1 ignored; …`
        return Some(Counts { passed: number_before(rest, "passed")?, failed: number_before(rest, "failed")? });
    }
    if let Some(rest) = line.strip_prefix("Tests ") {
        // vitest: `Tests  1 failed | 12 passed | 1 skipped (14)`
        return Some(Counts {
            passed: number_before(rest, "passed").unwrap_or(0),
            failed: number_before(rest, "failed").unwrap_or(0),
        });
    }
    if let Some(rest) = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ ")) {
        // node:test: `# pass 3` and `# fail 0` on lines of their own
        return match rest.split_once(' ')? {
            ("pass", number) => Some(Counts { passed: number.parse().ok()?, failed: 0 }),
            ("fail" | "cancelled", number) => Some(Counts { passed: 0, failed: number.parse().ok()? }),
            _ => None,
        };
    }
    playwright(line)
}

/// Playwright: `12 passed (3.4s)`, `1 failed`, `2 flaky`, `1 did not run`, `1 interrupted`, one a line.
fn playwright(line: &str) -> Option<Counts> {
    let (number, rest) = line.split_once(' ')?;
    let number: u64 = number.parse().ok()?;
    let what = rest.split(" (").next()?;
    match what {
        // A flaky test failed first and passed when repeated.
        "passed" | "flaky" => Some(Counts { passed: number, failed: 0 }),
        "failed" | "interrupted" | "did not run" => Some(Counts { passed: 0, failed: number }),
        _ => None,
    }
}

fn number_before(text: &str, word: &str) -> Option<u64> {
    let mut previous = "";
    for token in text.split([' ', ';', '|', '.']).filter(|token| !token.is_empty()) {
        if token == word {
            return previous.parse().ok();
        }
        previous = token;
    }
    None
}

fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            for skipped in characters.by_ref() {
                if skipped.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64) -> Counts {
        Counts { passed, failed }
    }

    #[test]
    fn cargo_results_of_several_targets_are_summed() {
        let log = "\
running 3 tests
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
   Doc-tests namma_core
test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 5 filtered out; finished in 1.20s
";
        assert_eq!(Counts::read(log), counts(13, 2));
    }

    #[test]
    fn coloured_cargo_results_are_read() {
        let log = "test result: \u{1b}[32mok\u{1b}[0m. 4 passed; 0 failed; 0 ignored; 0 measured";
        assert_eq!(Counts::read(log), counts(4, 0));
    }

    #[test]
    fn vitest_counts_tests_and_not_files() {
        let log = " Test Files  1 failed | 8 passed (9)\n      Tests  2 failed | 40 passed | 1 skipped (43)\n";
        assert_eq!(Counts::read(log), counts(40, 2));
        let green = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m40 passed\u{1b}[39m\u{1b}[22m (40)";
        assert_eq!(Counts::read(green), counts(40, 0));
    }

    #[test]
    fn playwright_tests_that_did_not_run_count_as_failed() {
        let log = "\
Running 15 tests using 1 worker
  ✓  1 chat.spec.ts:3:1 › shows 12 passed (1.0s)
  1 failed
    chat.spec.ts:9:1 › streams
  1 flaky
  1 did not run
  2 skipped
  10 passed (12.3s)
";
        assert_eq!(Counts::read(log), counts(11, 2));
    }

    #[test]
    fn node_test_runner_lines_are_read() {
        assert_eq!(Counts::read("# tests 5\n# pass 4\n# fail 1\n# cancelled 0\n"), counts(4, 1));
        assert_eq!(Counts::read("ℹ tests 5\nℹ pass 5\nℹ fail 0\n"), counts(5, 0));
    }

    #[test]
    fn other_lines_with_numbers_count_nothing() {
        let log = "3 warnings emitted\nfound 0 vulnerabilities\nadded 220 packages in 9s\n# 3 passed\n";
        assert_eq!(Counts::read(log), Counts::default());
    }
}
