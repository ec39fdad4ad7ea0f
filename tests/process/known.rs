//! Known failures: what is listed passes, everything else that differs from the list does not.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Bench, Ended};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("known/listed", listed),
        trial("known/unlisted", unlisted),
        trial("known/patterns", patterns),
        trial("known/stale", stale),
        trial("known/stale-only-where-it-was-asked", stale_only_where_it_was_asked),
        trial("known/changed", changed),
        trial("known/a-crash-may-be-known", a_crash_may_be_known),
        trial("known/write-then-read", write_then_read),
        trial("known/bad-files", bad_files),
    ]
}

const LIE: &str = "the text is a lie";

fn run(bench: &Bench, known: &Value, arguments: &[&str]) -> Ended {
    let path = bench.write("known.json", &json!({ "known": known }).to_string()).display().to_string();
    bench.run(&["caps=sweep"], &[&["--known", &path], arguments].concat())
}

fn entry(case: &str, check: &str) -> Value {
    json!({"case": case, "check": check, "reason": LIE})
}

fn listed() {
    let bench = Bench::around("lie");
    let all = run(&bench, &json!([entry("inline-tag/case-3", "*")]), &[]).expect(0);
    all.others_pass(&[3]);
    let expect = all.verdict(3, "expect");
    assert_eq!((&expect["status"], &expect["note"]), (&"known".into(), &format!("known: {LIE}").into()));
    assert_eq!(all.footer()["counts"]["failed"]["must"], 0);
    assert!(all.footer()["counts"]["known"].as_u64().is_some_and(|known| known > 0));
    let one = run(&bench, &json!([entry("inline-tag/case-3", "expect")]), &["--check", "expect"]).expect(0);
    assert_eq!(one.verdict(3, "expect")["status"], "known");
}

fn unlisted() {
    let bench = Bench::around("lie");
    run(&bench, &json!([]), &["--check", "expect"]).expect(1);
    // Another check of the same case.
    let ended = run(&bench, &json!([entry("inline-tag/case-3", "expect")]), &[]).expect(1);
    assert_eq!(ended.verdict(3, "expect")["status"], "known");
    assert_eq!(ended.verdict(3, "conserve")["status"], "fail");
}

fn patterns() {
    let bench = Bench::around("lie");
    for (case, code) in
        [("inline-tag/*", 0), ("*-3", 0), ("*case*", 0), ("*", 0), ("inline-tag/case-4*", 1), ("sse/*", 1)]
    {
        let ended = run(&bench, &json!([entry(case, "*")]), &[]);
        assert_eq!(ended.code, code, "{case}\n{}", ended.out);
    }
}

fn stale() {
    let bench = Bench::around("lie");
    let known = json!([entry("inline-tag/case-3", "*"), entry("inline-tag/case-1", "expect"), entry("*-5", "*")]);
    let ended = run(&bench, &known, &[]).expect(1);
    let expected = [format!("inline-tag/case-1 · expect ({LIE})"), format!("*-5 · * ({LIE})")];
    assert_eq!(ended.footer()["stale"], json!(expected));
    assert_eq!(ended.footer()["counts"]["failed"]["must"], 0, "only staleness fails the run");
    // A case that does not exist at all.
    let ended =
        run(&bench, &json!([entry("inline-tag/case-3", "*"), entry("inline-tag/gone", "split")]), &[]).expect(1);
    assert_eq!(ended.footer()["counts"]["stale"], 1);
}

fn stale_only_where_it_was_asked() {
    let bench = Bench::around("lie");
    let known = json!([entry("inline-tag/case-3", "*"), entry("inline-tag/gone", "expect"), entry("*-5", "*")]);
    run(&bench, &known, &["--filter", "case-3"]).expect(0);
    run(&bench, &json!([entry("*-3", "expect"), entry("inline-tag/case-3", "split")]), &["--check", "expect"])
        .expect(0);
    // What is said of another dialect says nothing of this one.
    let known = json!([entry("inline-tag/case-3", "*"), entry("sse/some-case", "expect")]);
    run(&bench, &known, &["--dialect", "inline-tag"]).expect(0);
    run(&bench, &known, &[]).expect(1);
}

fn changed() {
    let bench = Bench::around("lie");
    let pinned = |actual: &str| {
        let mut entry = entry("inline-tag/case-3", "expect");
        entry["actual"] = json!([{"type": "text", "text": actual}]);
        entry["issue"] = "acme/acme#1".into();
        json!([entry])
    };
    run(&bench, &pinned("A LIE"), &["--check", "expect"]).expect(0);
    let ended = run(&bench, &pinned("another lie"), &["--check", "expect"]).expect(1);
    let expect = ended.verdict(3, "expect");
    assert_eq!(expect["status"], "fail");
    assert_eq!(expect["note"], format!("known, but it fails otherwise now: {LIE}"));
    assert_eq!(ended.footer()["stale"], json!([]), "it is not stale: it fails");
}

fn a_crash_may_be_known() {
    let bench = Bench::around("crash");
    let ended = run(&bench, &json!([entry("inline-tag/case-3", "*")]), &[]).expect(0);
    assert_eq!(ended.verdict(3, "survive")["status"], "known");
    ended.others_pass(&[3]);
}

fn write_then_read() {
    for word in ["lie", "crash", "error"] {
        let bench = Bench::around(word);
        let path = bench.path("written.json").display().to_string();
        let ended = bench.run(&["caps=sweep"], &["--write-known", &path]).expect(0);
        assert!(ended.err.contains("failures are now known in"), "not among the records: {}", ended.err);
        let ended = bench.run(&["caps=sweep"], &["--known", &path]).expect(0);
        ended.others_pass(&[3]);
        assert!(ended.verdicts().all(|verdict| verdict["status"] != "fail"));
        let written: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("written")).expect("JSON");
        let schema = anysplit::spec::file("schema/known-failures.schema.json").expect("embedded");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).expect("JSON")).expect("a schema");
        assert!(schema.is_valid(&written), "{written}");
    }
}

fn bad_files() {
    let bench = Bench::around("lie");
    let good = entry("inline-tag/case-3", "*");
    let table = [
        (json!([good, {"case": "inline-tag/case-3", "check": "split"}]), "known number 2: \"reason\" is required"),
        (json!([{"case": "a/b", "check": "split", "reason": "  "}]), "known number 1: \"reason\" is required"),
        (json!([good, entry("a/b", "spilt")]), "known number 2: there is no check \"spilt\"; there are survive"),
        (json!([{"check": "split", "reason": "x"}]), "known number 1: \"case\" is required"),
        (json!([{"case": "a", "check": "*", "reason": "x", "isue": "y"}]), "known number 1: unknown field `isue`"),
        (json!([{"case": "a", "check": "*", "reason": "x", "actual": [{}]}]), "known number 1: "),
        (json!([good, 5]), "known number 2: "),
    ];
    for (known, says) in table {
        let ended = run(&bench, &known, &[]).expect(2);
        assert!(ended.err.contains("known.json: ") && ended.err.contains(says), "{says:?} is missing in {}", ended.err);
    }
    let ended = bench.run(&[], &["--known", "/no/such/file.json"]).expect(2);
    assert!(ended.err.contains("/no/such/file.json: cannot be read"), "{}", ended.err);
    assert_eq!(bench.starts(), 0, "nothing is started for a bad file");
}
