// The three majors stand side by side under aliases (see package.json).
import { readFile } from 'node:fs/promises';

export const majors = ['5', '6', '7'];

export async function load(major) {
  if (!majors.includes(major)) {
    console.error(`which major? ${majors.join(', ')}`);
    process.exit(2);
  }
  const manifest = new URL(`./node_modules/ai${major}/package.json`, import.meta.url);
  return { ai: await import(`ai${major}`), version: JSON.parse(await readFile(manifest, 'utf8')).version };
}
