//! `anysplit diff`: where implementations disagree, classified.

use std::collections::BTreeMap;

use anysplit::case::Case;
use anysplit::check;
use anysplit::disagreement::{Class, classify};
use anysplit::event::Event;
use anysplit::input::{Chunk, Input};
use anysplit::target::{Fault, Outcome, Reference, Setting, Swept, Target};
use anysplit::variation::split::{Effort, splittings};
use anysplit::variation::{Atoms, Cuts};
use clap::Args;

use super::interrupt;
use super::progress::Progress;
use super::select::Select;
use super::target::ProcessLimits;
use super::{Exit, Problem};

/// Compare implementations on the same cases and splittings
#[derive(Args)]
#[command(after_help = "\
Every target after the first is compared with the first, on every case and
every splitting of the quick selection. `reference` is the embedded reference;
a single target is compared with it.

Classes: error, loss, leak, arguments, merge, duplicate, order, whitespace,
late (the same events, later, one character at a time), other.

Exit codes: 0 they agree, 1 they do not, 3 one of them cannot be talked to, 4
nothing was compared, 130 interrupted.

Examples:
  anysplit diff --target 'python3 old.py' --target 'python3 new.py'
  anysplit diff --target 'node adapter.mjs' --dialect inline-tag --filter near-miss")]
pub(super) struct Diff {
    /// The command of a target, or `reference`; two or more, or one to compare with the reference
    #[arg(long, value_name = "CMD", required = true)]
    target: Vec<String>,
    #[command(flatten)]
    limits: ProcessLimits,
    #[command(flatten)]
    select: Select,
    /// The seed of random splittings
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Disagreements of one class between two targets.
#[derive(Default)]
struct Group {
    cases: usize,
    variations: usize,
    example: Option<Example>,
}

/// The smallest disagreement of a group.
struct Example {
    case: String,
    chunks: Vec<Input>,
    first: Outcome,
    second: Outcome,
}

impl Diff {
    pub(super) fn execute(self) -> Result<Exit, Problem> {
        let commands: Vec<&str> = match &self.target[..] {
            [only] => vec!["reference", only],
            many => many.iter().map(String::as_str).collect(),
        };
        let cases = self.select.cases()?;
        let targets = commands.iter().map(|command| self.open(command)).collect::<Result<Vec<_>, _>>()?;
        let (first, others) = targets.split_first().ok_or_else(|| Problem::usage("two targets are needed"))?;
        let mut judged = 0;
        let mut disagree = false;
        for (at, other) in others.iter().enumerate() {
            let mut compared = 0;
            let groups = self.compare(&**first, &**other, &cases, &mut compared)?;
            judged += compared;
            disagree |= !groups.is_empty();
            let names = [(first.name(), commands[0]), (other.name(), commands[at + 1])].map(|(name, command)| {
                if first.name() == other.name() { format!("{name} ({command})") } else { name.to_owned() }
            });
            print(&names, &groups, compared);
        }
        if let Some(why) = targets.iter().find_map(|target| target.given_up()) {
            return Err(Problem { exit: Exit::Unreachable, message: why });
        }
        if interrupt::came() {
            return Ok(Exit::Interrupted);
        }
        match (judged, disagree) {
            (0, _) => Err(Problem::nothing("no case is of a dialect and a kind that both targets support")),
            (_, true) => Ok(Exit::Fails),
            (_, false) => Ok(Exit::Conforms),
        }
    }

    fn open(&self, command: &str) -> Result<Box<dyn Target>, Problem> {
        match command {
            "reference" => Ok(Box::new(Reference)),
            command => Ok(Box::new(self.limits.start(command)?)),
        }
    }

    fn compare(
        &self,
        first: &dyn Target,
        second: &dyn Target,
        cases: &[Case],
        judged: &mut usize,
    ) -> Result<BTreeMap<Class, Group>, Problem> {
        let interrupted = interrupt::finishing("interrupted: this is how far it came");
        let mut groups: BTreeMap<Class, Group> = BTreeMap::new();
        let mut progress = Progress::new(cases.len(), true);
        for (number, case) in cases.iter().enumerate() {
            let kind = case.dialect.kind(&case.options);
            let both = [first, second];
            if both.iter().any(|target| !target.speaks(case.dialect) || !target.takes(case.dialect, kind)) {
                continue;
            }
            progress.at(number, groups.len());
            let pair = Pair { case, first, second, seed: self.seed };
            let Some(disagreements) = pair.disagreements() else { continue };
            *judged += 1;
            for (class, group) in disagreements {
                groups.entry(class).or_default().add(group);
            }
            if interrupted.load(std::sync::atomic::Ordering::Relaxed) || both.iter().any(|it| it.given_up().is_some()) {
                break;
            }
        }
        progress.clear();
        Ok(groups)
    }
}

impl Group {
    fn add(&mut self, one: Self) {
        self.cases += 1;
        self.variations += one.variations;
        let size = |example: &Option<Example>| example.as_ref().map_or(usize::MAX, Example::size);
        if size(&one.example) < size(&self.example) {
            self.example = one.example;
        }
    }
}

impl Example {
    fn size(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.as_chunk().size()).sum::<usize>() + 8 * self.chunks.len()
    }
}

/// Two targets on one case.
struct Pair<'a> {
    case: &'a Case,
    first: &'a dyn Target,
    second: &'a dyn Target,
    seed: u64,
}

impl Pair<'_> {
    /// Where they disagree; nothing where one of them cannot be asked.
    fn disagreements(&self) -> Option<BTreeMap<Class, Group>> {
        let input = self.case.whole();
        let atoms = Atoms::of(input.as_chunk());
        let setting = Setting { dialect: self.case.dialect, options: &self.case.options };
        let cuts = splittings(&atoms, Effort::Quick, self.seed).splittings;
        let cutting = self.first.cuts(atoms.whole().kind()) && self.second.cuts(atoms.whole().kind());
        let cuts = if cutting { cuts } else { vec![Cuts::NONE] };
        let sweep = |target: &dyn Target| {
            target
                .sweep(setting, &atoms, &cuts)
                .unwrap_or_else(|lost| Swept { outcomes: vec![Err(lost.fault)], runs: vec![0; cuts.len()] })
        };
        let (first, second) = (sweep(self.first), sweep(self.second));
        // One that was given up, or that nobody waits for any more, was not asked.
        let not_asked =
            |swept: &Swept| matches!(swept.outcomes.first(), Some(Err(Fault::Unsupported { .. } | Fault::GivenUp)));
        let mut groups: BTreeMap<Class, Group> = BTreeMap::new();
        if not_asked(&first) || not_asked(&second) {
            return None;
        }
        for (at, cuts) in cuts.iter().enumerate() {
            let one = self.comparable(&first.outcomes[first.runs[at]]);
            let two = self.comparable(&second.outcomes[second.runs[at]]);
            let class = match (&one, &two) {
                (Ok(one), Ok(two)) => classify(one, two),
                (Err(_), Err(_)) => None,
                _ => Some(Class::Error),
            };
            if let Some(class) = class {
                let group = groups.entry(class).or_default();
                group.variations += 1;
                group.example.get_or_insert_with(|| self.example(&atoms, cuts, one, two));
            }
        }
        if groups.is_empty()
            && let Some(late) = self.late(setting, &atoms)
        {
            groups.insert(Class::Late, late);
        }
        Some(groups)
    }

    /// Without violations, unless both give them.
    fn comparable(&self, outcome: &Outcome) -> Outcome {
        let both = self.first.reports_violations() && self.second.reports_violations();
        let keep = |events: &Vec<Event>| events.iter().filter(|event| both || !event.is_violation()).cloned().collect();
        outcome.as_ref().map(keep).map_err(Clone::clone)
    }

    /// Whether the second gives what the first gives, but later.
    fn late(&self, setting: Setting<'_>, atoms: &Atoms<'_>) -> Option<Group> {
        let cuts = Cuts::finest(atoms.len());
        let chunks: Vec<Chunk<'_>> = atoms.chunks(&cuts);
        let form = self.case.dialect.form();
        let first = self.first.run(setting, &chunks).ok()?.news(form);
        let second = self.second.run(setting, &chunks).ok()?.news(form);
        let lag = check::hold_back(&first, &second, |event| !event.is_violation())?;
        let (one, two) = (Ok(first.first(lag.at + 1, form)), Ok(second.first(lag.at + 1, form)));
        let fed = cuts.0.get(lag.at).copied().unwrap_or(atoms.len());
        let example = self.example(atoms, &Cuts(vec![fed]), one, two);
        Some(Group { cases: 0, variations: 1, example: Some(example) })
    }

    fn example(&self, atoms: &Atoms<'_>, cuts: &Cuts, first: Outcome, second: Outcome) -> Example {
        let chunks = atoms.chunks(cuts).into_iter().map(Chunk::to_input).collect();
        Example { case: self.case.id.clone(), chunks, first, second }
    }
}

fn print([first, second]: &[String; 2], groups: &BTreeMap<Class, Group>, compared: usize) {
    anstream::println!("{second} against {first}: {compared} cases");
    match (groups.is_empty(), compared) {
        (true, 0) => anstream::println!("  nothing was compared"),
        (true, _) => anstream::println!("  they agree"),
        (false, _) => {}
    }
    for class in Class::ALL {
        let Some(group) = groups.get(&class) else { continue };
        let Group { cases, variations, example } = group;
        anstream::println!("\n{class}: {} ({cases} cases, {variations} variations)", class.sentence());
        let Some(example) = example else { continue };
        let chunks: Vec<String> = example.chunks.iter().map(drawn).collect();
        anstream::println!("  {}\n  input {}", example.case, chunks.join("│"));
        outcome("-", &example.first);
        outcome("+", &example.second);
    }
    if !groups.is_empty() {
        anstream::println!("\n(- {first}, + {second})");
    }
    anstream::println!();
}

fn drawn(chunk: &Input) -> String {
    match chunk {
        Input::Text(text) => text.escape_debug().to_string().replace("\\\"", "\""),
        Input::Bytes(bytes) => bytes.escape_ascii().to_string().replace("\\\"", "\""),
        Input::Objects(items) => items.iter().map(|item| format!("\n    {item}")).collect(),
    }
}

fn outcome(sign: &str, outcome: &Outcome) {
    match outcome {
        Ok(events) if events.is_empty() => anstream::println!("  {sign} nothing"),
        Ok(events) => events.iter().for_each(|event| anstream::println!("  {sign} {event}")),
        Err(fault) => anstream::println!("  {sign} {}", fault.to_string().lines().next().unwrap_or_default()),
    }
}
