// node parts-check.mjs ANYSPLIT: lints what streamText gives in every scenario and major, and compares the rules that are broken with
// parts-known.json, in both directions. The binary may also stand in $ANYSPLIT. Exit codes: 0 as listed, 1 not, 2 wrong usage.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { majors } from './majors.mjs';
import { scenarios } from './parts.mjs';

const anysplit = process.argv[2] ?? process.env.ANYSPLIT;
if (!anysplit) {
  console.error('usage: node parts-check.mjs ANYSPLIT');
  process.exit(2);
}
const known = JSON.parse(readFileSync(new URL('./parts-known.json', import.meta.url), 'utf8'));
const script = fileURLToPath(new URL('./parts.mjs', import.meta.url));

// Gives the rules that were broken, or throws what is to be said instead.
function broken(major, name) {
  const run = spawnSync(process.execPath, [script, major, name], { encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw `the scenario ended with ${run.status ?? run.signal}: ${run.stderr.trim()}`;
  const check = spawnSync(anysplit, ['check', '-', '--dialect', 'ai-sdk-parts', '--format', 'json'], { input: run.stdout, encoding: 'utf8' });
  if (check.error) throw check.error.message;
  if (check.status > 1) throw `check ended with ${check.status}: ${check.stderr.trim()}`;
  const lines = check.stdout.trim().split('\n').map((line) => JSON.parse(line));
  return new Set(lines.filter((line) => line.type === 'violation').map((line) => line.rule));
}

let failed = false;
const say = (key, verdict, more = '') => console.log(`${key.padEnd(24)} ${verdict.padEnd(8)} ${more}`.trimEnd());
const unused = new Set(Object.keys(known));
for (const major of majors) {
  for (const [name, { since = 5 }] of Object.entries(scenarios)) {
    if (Number(major) < since) continue;
    const key = `${major}/${name}`;
    unused.delete(key);
    try {
      const rules = broken(major, name);
      const listed = new Set(Object.keys(known[key]?.rules ?? {}));
      const fresh = [...rules].filter((rule) => !listed.has(rule));
      const stale = [...listed].filter((rule) => !rules.has(rule));
      failed ||= fresh.length + stale.length > 0;
      if (fresh.length > 0) say(key, 'NEW', fresh.join(' '));
      if (stale.length > 0) say(key, 'STALE', stale.join(' '));
      if (fresh.length + stale.length === 0) say(key, rules.size > 0 ? 'known' : 'conforms', [...rules].join(' '));
    } catch (problem) {
      failed = true;
      say(key, 'FAILS', String(problem));
    }
  }
}
for (const key of unused) {
  failed = true;
  say(key, 'STALE', 'no such scenario');
}
process.exit(failed ? 1 : 0);
