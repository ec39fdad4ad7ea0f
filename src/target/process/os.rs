//! What a process and its descendants use, and how they are ended: the part that differs between systems.
//!
//! A child leads a process group of its own, and all its descendants inherit a mark in their environment. Where a descendant left
//! the group (a daemon), the mark still finds it on Linux.

use std::process::{Child, Command};

/// The variable that marks a child and its descendants.
const MARK: &str = "ANYSPLIT_CHILD";

/// Puts the command into a process group of its own, and marks it.
pub(super) fn prepare(command: &mut Command, mark: &str) {
    command.env(MARK, mark);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Ends a child and all its descendants, and reaps it.
pub(super) fn end(child: &mut Child, mark: &str) {
    kill_family(child.id(), mark);
    // Where there are no groups; it may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends a process group and all descendants, in whatever group and environment they are, without reaping anything.
pub(super) fn kill_family(id: u32, mark: &str) {
    let descendants = descendants(id);
    kill_group(id);
    descendants.into_iter().for_each(kill);
    kill_marked(mark);
}

#[cfg(target_os = "linux")]
fn descendants(id: u32) -> Vec<u32> {
    children(id).into_iter().flat_map(|child| [vec![child], descendants(child)].concat()).collect()
}

#[cfg(not(target_os = "linux"))]
fn descendants(_id: u32) -> Vec<u32> {
    Vec::new()
}

#[cfg(target_os = "linux")]
fn kill(id: u32) {
    if let Some(process) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill(_id: u32) {}

/// Ends a process group, without reaping anything.
#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // Nobody may be left in it.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_id: u32) {}

/// Ends what left the group but inherited the mark, until nothing is found any more: it may have been about to fork.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    const ROUNDS: usize = 200;
    let variable = format!("{MARK}={mark}");
    let is_marked = |id: &u32| {
        let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
    };
    for _ in 0..ROUNDS {
        let marked: Vec<u32> = process_ids().into_iter().filter(is_marked).collect();
        if marked.is_empty() {
            return;
        }
        marked.into_iter().for_each(kill);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_mark: &str) {}

#[cfg(target_os = "linux")]
fn process_ids() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// How many bytes of memory a process and its descendants hold; nothing where that cannot be told.
#[cfg(target_os = "linux")]
pub(super) fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    let own = resident.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10;
    Some(own + children(id).into_iter().filter_map(memory).sum::<u64>())
}

/// The children of a process: each of its threads has its own.
#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn memory(_id: u32) -> Option<u64> {
    None
}
