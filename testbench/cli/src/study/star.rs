//! The star as a picture: fibres to the router, the ring inside it, and the wavelengths (AWG-1, AWG-3).

use awgstar::ring::star::{ring_order, wavelengths};
use std::fmt::Write;

const RADIUS: f64 = 150.0;
const ROUTER: f64 = 78.0;

/// Two pictures side by side: the ring of ports 1 to `nodes`, and the same with the light led round port
/// `dead`.
///
/// # Panics
/// When there are not 3 to 12 nodes, or `dead` is none of them.
#[must_use]
pub fn star(nodes: u8, dead: u8) -> String {
    assert!((3..=12).contains(&nodes) && (1..=nodes).contains(&dead), "3 to 12 nodes");
    let all: Vec<u8> = (1..=nodes).collect();
    let left: Vec<u8> = all.iter().copied().filter(|&port| port != dead).collect();
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 440\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"860\" height=\"440\" fill=\"white\"/>\n\
         <defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#005ab5\"/></marker></defs>\n",
    );
    half(&mut text, 215.0, "A star of fibres, a ring of light", nodes, &all);
    half(&mut text, 645.0, &format!("Node {dead} is dead: one laser is tuned"), nodes, &left);
    text.push_str("</svg>\n");
    text
}

fn half(text: &mut String, cx: f64, title: &str, nodes: u8, members: &[u8]) {
    let cy = 235.0;
    let place = |port: u8, radius: f64, turn: f64| {
        let angle = std::f64::consts::TAU * (f64::from(port - 1) / f64::from(nodes) - 0.25) + turn;
        (cx + radius * angle.cos(), cy + radius * angle.sin())
    };
    let _ = writeln!(
        text,
        "<text x=\"{cx}\" y=\"28\" text-anchor=\"middle\" font-size=\"16\">{title}</text>"
    );
    let _ = writeln!(
        text,
        "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{ROUTER}\" fill=\"#f2f5f9\" stroke=\"#777\"/>\n\
         <text x=\"{cx}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"#555\">AWG router</text>",
        cy + 4.0
    );
    for port in 1..=nodes {
        let lives = members.contains(&port);
        let (colour, dash) =
            if lives { ("#005ab5", "") } else { ("#bbb", " stroke-dasharray=\"4 4\"") };
        for turn in [-0.11, 0.11] {
            let (x1, y1) = place(port, RADIUS, turn * 0.5);
            let (x2, y2) = place(port, ROUTER, turn);
            let _ = writeln!(
                text,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"{dash}/>"
            );
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
        let _ = writeln!(
            text,
            "<path d=\"M{x1:.1} {y1:.1}Q{mx:.1} {my:.1} {x2:.1} {y2:.1}\" fill=\"none\" stroke=\"#005ab5\" stroke-width=\"2\" marker-end=\"url(#a)\"/>"
        );
    }
    for port in 1..=nodes {
        let (x, y) = place(port, RADIUS + 22.0, 0.0);
        let lives = members.contains(&port);
        let (fill, colour) = if lives { ("#e5eefb", "black") } else { ("#eee", "#999") };
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"24\" fill=\"{fill}\" stroke=\"{colour}\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{colour}\">{port}</text>",
            y - 2.0
        );
        let wavelength =
            tuned.iter().find(|t| t.port == port).map(|t| format!("λ {}", t.wavelength));
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\" fill=\"{colour}\">{}</text>",
            y + 13.0,
            wavelength.as_deref().unwrap_or("dark")
        );
    }
}
