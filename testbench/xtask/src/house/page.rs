// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table in the page.

use super::{
    error::{HouseError, PAGE},
    measure::{House, Room},
};
use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

const BEGIN: &str = "<!-- cargo xtask house: begin -->";
const END: &str = "<!-- cargo xtask house: end -->";

/// The page with the measures in their place.
///
/// # Errors
/// If the page has no place for them.
pub(super) fn write(page: &str, house: &House) -> Result<String, HouseError> {
    let missing = || HouseError::NoPlace { page: PathBuf::from(PAGE), begin: BEGIN, end: END };
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{}{END}{after}", tables(house)))
}

/// Compares the committed page with the measured one.
///
/// # Errors
/// If they differ: the lines.
pub(super) fn compare(old: &str, new: &str) -> Result<(), HouseError> {
    let mut lines = String::new();
    let (mut a, mut b) = (old.lines(), new.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let _ = writeln!(
                    lines,
                    "  page      {}\n  measured  {}",
                    a.unwrap_or(""),
                    b.unwrap_or("")
                );
            }
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    Err(HouseError::Stale { page: PathBuf::from(PAGE), lines })
}

fn tables(house: &House) -> String {
    let mut text = String::from(
        "\n| crate | group | lines in `src` | files | lines in `tests` | public items | circles: files | circles: neighbours |\n\
         |---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut groups: BTreeMap<&str, Vec<&Room>> = BTreeMap::new();
    for room in &house.rooms {
        groups.entry(&room.group).or_default().push(room);
    }
    for (group, rooms) in &groups {
        for room in rooms {
            row(&mut text, &format!("`{}`", room.folder), group, std::slice::from_ref(room));
        }
        row(&mut text, "**sum**", group, rooms);
    }
    let all: Vec<&Room> = house.rooms.iter().collect();
    row(&mut text, "**all**", "", &all);
    text.push_str("\n| count | now | ceiling |\n|---|---:|---:|\n");
    for count in &house.counts {
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            count.name,
            number(count.places.len()),
            number(count.ceiling)
        );
    }
    text.push('\n');
    text
}

fn row(text: &mut String, name: &str, group: &str, rooms: &[&Room]) {
    let sum = |of: fn(&Room) -> usize| number(rooms.iter().map(|room| of(room)).sum());
    let _ = writeln!(
        text,
        "| {name} | {group} | {} | {} | {} | {} | {} | {} |",
        sum(|room| room.lines),
        sum(|room| room.files),
        sum(|room| room.tests),
        sum(|room| room.public),
        sum(|room| room.circles),
        sum(|room| room.neighbours),
    );
}

/// With a comma between thousands.
fn number(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_a_comma() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_page_with_another_figure_is_stale() {
        let house = House { rooms: Vec::new(), counts: Vec::new(), of_the_core: Vec::new() };
        let page = write(&format!("a\n{BEGIN}\n{END}\nb\n"), &house).expect("a place");
        assert!(compare(&page, &page).is_ok());
        let old = page.replace("| count |", "| cuont |");
        assert!(matches!(compare(&old, &page), Err(HouseError::Stale { .. })));
        assert!(matches!(write("a", &house), Err(HouseError::NoPlace { .. })));
    }
}
