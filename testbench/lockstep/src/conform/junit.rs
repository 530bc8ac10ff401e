// SPDX-License-Identifier: MIT OR Apache-2.0
//! A report as `JUnit` XML (CNF-6): a test suite for the ports and one for each class of cases.

use crate::conform::case::{Failure, Outcome, Verdict};
use crate::conform::report::Report;
use awgstar_simulator::SimError;
use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

fn failed(verdict: Verdict, message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(verdict.to_string()).set_message(message).set_description(text);
    status
}

fn of(failure: &Failure) -> TestCaseStatus {
    failed(failure.verdict, &failure.line(), &failure.detail)
}

/// The text.
///
/// # Errors
/// If it cannot be written as XML.
pub fn text(report: &Report) -> Result<String, SimError> {
    let mut all = quick_junit::Report::new(format!("awgstar conform {}", report.module));
    all.set_time(Duration::from_secs_f64(report.seconds));
    let class = |name: &str| format!("{}.{name}", report.module);

    let mut ports = TestSuite::new("ports");
    for (name, hash) in &report.inputs {
        ports.add_property(Property::new(format!("sha256 {name}"), hash.as_str()));
    }
    let mut port = |name: &str, status| {
        let mut case = TestCase::new(name, status);
        case.set_classname(class("ports"));
        ports.add_test_case(case);
    };
    for name in &report.ports.right {
        port(name, TestCaseStatus::success());
    }
    for finding in &report.ports.findings {
        port(&finding.port, failed(Verdict::Ports, &finding.to_string(), ""));
    }
    if let Some(why) = &report.ports.unread {
        let mut status = TestCaseStatus::skipped();
        status.set_message(why.as_str());
        port("all", status);
    }
    all.add_test_suite(ports);

    if let Some(failure) = &report.compiler {
        let mut suite = TestSuite::new("compiler");
        let mut case = TestCase::new(report.top.as_str(), of(failure));
        case.set_classname(class("compiler"));
        suite.add_test_case(case);
        all.add_test_suite(suite);
    }
    for group in &report.groups {
        let mut suite = TestSuite::new(group.name.as_str());
        for line in group.reached.lines() {
            suite.add_property(Property::new("reached", line));
        }
        for case in &group.cases {
            let status = match &case.outcome {
                Outcome::Pass => TestCaseStatus::success(),
                Outcome::Fail(failure) => of(failure),
                Outcome::NotRun(why) => {
                    let mut status = if report.verdict() == Some(Verdict::NotJudged) {
                        TestCaseStatus::non_success(NonSuccessKind::Error)
                    } else {
                        TestCaseStatus::skipped()
                    };
                    status.set_message(why.as_str());
                    status
                }
            };
            let mut entry = TestCase::new(case.name.as_str(), status);
            entry.set_classname(class(&group.name));
            entry.add_property(Property::new("requirements", case.requirements.join(" ")));
            suite.add_test_case(entry);
        }
        all.add_test_suite(suite);
    }
    if let Some(why) = &report.idle {
        let mut suite = TestSuite::new("reached");
        let mut case = TestCase::new("parts that parameters enable", TestCaseStatus::skipped());
        case.status.set_message(why.as_str());
        suite.add_test_case(case);
        all.add_test_suite(suite);
    }
    all.to_string().map_err(|e| SimError::format("--junit", e.to_string()))
}
