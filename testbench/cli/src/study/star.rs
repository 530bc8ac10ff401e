// SPDX-License-Identifier: MIT OR Apache-2.0
//! The star as a picture: fibres to the router, the ring inside it, and the wavelengths (AWG-1, AWG-3).

use awgstar::ring::star::{ring_order, wavelengths};
use awgstar_draw::svg::{Shape, Svg, tenth, whole};

const RADIUS: f64 = 150.0;
const ROUTER: f64 = 78.0;
const LIGHT: &str = "#005ab5";

/// Two pictures side by side: the ring of ports 1 to `nodes`, and the same with the light led round port
/// `dead`.
///
/// # Panics
/// If there are not 3 to 12 nodes, or `dead` is none of them.
#[must_use]
pub fn star(nodes: u8, dead: u8) -> String {
    assert!((3..=12).contains(&nodes) && (1..=nodes).contains(&dead), "3 to 12 nodes");
    let all: Vec<u8> = (1..=nodes).collect();
    let left: Vec<u8> = all.iter().copied().filter(|&port| port != dead).collect();
    let mut svg = Svg::new(860.0, 440.0, true, "sans-serif", 13);
    let background = Shape::new("rect").set("width", 860).set("height", 440);
    svg.add(&background.set("fill", "white"));
    let head = Shape::path("M0 0L8 4L0 8z").set("fill", LIGHT);
    let arrow = Shape::new("marker").with([
        ("id", &"a"),
        ("viewBox", &"0 0 8 8"),
        ("refX", &7),
        ("refY", &4),
        ("markerWidth", &7),
        ("markerHeight", &7),
        ("orient", &"auto"),
    ]);
    svg.add(&Shape::new("defs").inside(&arrow.inside(&head)));
    half(&mut svg, 215.0, "A star of fibres, a ring of light", nodes, &all);
    half(&mut svg, 645.0, &format!("Node {dead} is dead: one laser is tuned"), nodes, &left);
    svg.text()
}

fn half(svg: &mut Svg, cx: f64, title: &str, nodes: u8, members: &[u8]) {
    let cy = 235.0;
    let place = |port: u8, radius: f64, turn: f64| {
        let angle = std::f64::consts::TAU * (f64::from(port - 1) / f64::from(nodes) - 0.25) + turn;
        (cx + radius * angle.cos(), cy + radius * angle.sin())
    };
    let name = |x, y, text: &str| Shape::text(x, y, text).set("text-anchor", "middle");
    svg.add(&name(cx.to_string(), "28".to_owned(), title).set("font-size", 16));
    let router = Shape::circle(cx, cy, ROUTER);
    svg.add(&router.set("fill", "#f2f5f9").set("stroke", "#777"));
    svg.add(&name(cx.to_string(), whole(cy + 4.0), "AWG router").set("fill", "#555"));
    for port in 1..=nodes {
        let lives = members.contains(&port);
        for turn in [-0.11, 0.11] {
            let (x1, y1) = place(port, RADIUS, turn * 0.5);
            let (x2, y2) = place(port, ROUTER, turn);
            let fibre = Shape::line(tenth(x1), tenth(y1), tenth(x2), tenth(y2));
            svg.add(&if lives {
                fibre.set("stroke", LIGHT)
            } else {
                fibre.set("stroke", "#bbb").set("stroke-dasharray", "4 4")
            });
        }
    }
    // What the lasers are tuned to makes the order; it is found from them, not from `members`.
    let tuned = wavelengths(members).unwrap_or_default();
    let order = ring_order(&tuned).unwrap_or_default();
    for (&from, &to) in order.iter().zip(order.iter().cycle().skip(1)) {
        let (x1, y1) = place(from, ROUTER, 0.11);
        let (x2, y2) = place(to, ROUTER, -0.11);
        let bend =
            |from: f64, to: f64, centre: f64| centre + (f64::midpoint(from, to) - centre) * 0.55;
        let (mx, my) = (bend(x1, x2, cx), bend(y1, y2, cy));
        let way = Shape::path(format_args!("M{x1:.1} {y1:.1}Q{mx:.1} {my:.1} {x2:.1} {y2:.1}"));
        svg.add(&way.with([
            ("fill", &"none"),
            ("stroke", &LIGHT),
            ("stroke-width", &2),
            ("marker-end", &"url(#a)"),
        ]));
    }
    for port in 1..=nodes {
        let (x, y) = place(port, RADIUS + 22.0, 0.0);
        let lives = members.contains(&port);
        let (fill, colour) = if lives { ("#e5eefb", "black") } else { ("#eee", "#999") };
        let node = Shape::circle(tenth(x), tenth(y), 24);
        svg.add(&node.set("fill", fill).set("stroke", colour));
        svg.add(&name(tenth(x), tenth(y - 2.0), &port.to_string()).set("fill", colour));
        let wavelength =
            tuned.iter().find(|t| t.port == port).map(|t| format!("λ {}", t.wavelength));
        let label = name(tenth(x), tenth(y + 13.0), wavelength.as_deref().unwrap_or("dark"));
        svg.add(&label.set("font-size", 11).set("fill", colour));
    }
}
