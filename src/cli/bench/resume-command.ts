// What to type to go on with a run: the same words with --resume.
export function resumeCommand(argv: {
  benchmark: string
  given: readonly [flag: string, value: string][]
  run: string
}): string {
  const kept = argv.given.filter(([flag]) => flag !== '--out' && flag !== '--resume')
  const words = kept.flatMap(([flag, value]) => [flag, quoted(value)])
  return ['longtake bench run', argv.benchmark, ...words, '--resume', quoted(argv.run)].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
