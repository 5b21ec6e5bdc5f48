// E0624: associated function `new` is private
//! Somebody who is not the gate makes a permit.

use namma_core::Tool;
use namma_core::gate::Permitted;

pub fn forged<'a, T: Tool>(input: &'a T::Input) -> Permitted<'a, T> {
    Permitted::new(input, unimplemented!())
}
