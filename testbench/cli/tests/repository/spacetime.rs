// SPDX-License-Identifier: MIT OR Apache-2.0
//! The space-time diagram: what is in a run is in the picture, in the right place.

use awgstar::contract::Token;
use awgstar_scenario::spacetime::{Bar, Diagram, Fate, Origin, svg};

fn bar(link: usize, first: u64, last: u64) -> Bar {
    Bar {
        link,
        first,
        last: Some(last),
        token: Some(Token::Data),
        source: 1,
        packet_cnt: 9,
        origin: Origin::Sent,
        fate: Fate::Passed,
        delivered: false,
        bad: false,
        content: None,
    }
}

fn diagram(bars: Vec<Bar>) -> Diagram {
    Diagram { fibre: vec![4, 4], bars, window: (0, 100), title: "a < b".into() }
}

/// Points of every frame drawn between two nodes, in order.
fn polygons(picture: &str) -> Vec<Vec<(f64, f64)>> {
    let points = |line: &str| {
        let list = line.split("points=\"").nth(1)?.split('"').next()?;
        list.split(' ')
            .map(|p| {
                let (x, y) = p.split_once(',')?;
                Some((x.parse().ok()?, y.parse().ok()?))
            })
            .collect::<Option<Vec<(f64, f64)>>>()
    };
    picture.lines().filter_map(points).collect()
}

#[test]
fn a_bar_is_as_high_as_the_frame_is_long_and_slants_by_the_fibre() {
    let picture = svg(&diagram(vec![bar(0, 20, 35)]));
    let [points] = &polygons(&picture)[..] else { panic!("one frame, one bar:\n{picture}") };
    let [(x0, top), (x1, head), (_, tail), (_, bottom)] = points[..] else {
        panic!("four corners: {points:?}")
    };
    let per_cycle = (bottom - top) / 16.0;
    assert!(per_cycle > 1.0, "{per_cycle} pixels per cycle");
    assert!(x1 > x0, "it goes to the right");
    assert!((head - top - 4.0 * per_cycle).abs() < 0.2, "four cycles of fibre");
    assert!((tail - bottom - 4.0 * per_cycle).abs() < 0.2, "four cycles of fibre");
}

#[test]
fn a_frame_that_is_passed_on_is_drawn_inside_its_node_too() {
    let passed = Bar { origin: Origin::Passed { arrived: 24 }, ..bar(1, 28, 43) };
    let picture = svg(&diagram(vec![passed]));
    let shapes = polygons(&picture);
    assert_eq!(shapes.len(), 2, "on the link and in the node");
    let (link, node) = (&shapes[0], &shapes[1]);
    assert!((node[1].0 - link[0].0).abs() < 0.2, "the node's right edge is the link's left one");
    assert!((node[1].1 - link[0].1).abs() < 0.2, "at the same time");
    assert!(node[0].1 < node[1].1, "it arrived before it left");
}

#[test]
fn marks_say_what_became_of_a_frame() {
    for (fate, text) in [
        (Fate::Stripped, "<title>stripped by its source</title>"),
        (Fate::Taken, "<title>free token taken</title>"),
        (Fate::Absorbed, "<title>absorbed</title>"),
    ] {
        let picture = svg(&diagram(vec![Bar { fate, ..bar(0, 20, 35) }]));
        assert!(picture.contains(text), "{fate:?}");
        let picture = svg(&diagram(vec![bar(0, 20, 35)]));
        let drawn = picture.lines().filter(|l| !l.starts_with("<g transform")).collect::<String>();
        assert!(!drawn.contains(text), "passed frames carry no {fate:?}");
    }
    let picture = svg(&diagram(vec![Bar { delivered: true, bad: true, ..bar(0, 20, 35) }]));
    assert!(picture.contains("<title>received</title>") && picture.contains("#c22"));
}

#[test]
fn nothing_outside_the_window_is_drawn_and_text_is_escaped() {
    let picture = svg(&Diagram { window: (200, 300), ..diagram(vec![bar(0, 20, 35)]) });
    assert!(polygons(&picture).is_empty());
    assert!(picture.contains("a &lt; b") && !picture.contains("a < b"));
}

#[test]
fn any_window_and_ring_gives_a_picture() {
    for (nodes, window) in [(1, (0, 1)), (256, (0, 1_000_000)), (3, (50, 50))] {
        let picture = svg(&Diagram {
            fibre: vec![0; nodes],
            bars: vec![bar(0, 0, 15)],
            window,
            title: String::new(),
        });
        assert!(picture.ends_with("</svg>\n") && !picture.contains("NaN"), "{nodes} nodes");
    }
}
