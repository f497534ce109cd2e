export interface ProofVerdict {
  files: number // that there should be
  identical: number
  lost: number
  doubled: number
  differing: string[] // for people
}

export const nothing: ProofVerdict = { files: 0, identical: 0, lost: 0, doubled: 0, differing: [] }

// What should be there, beside what is there.
export function compareResults(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
  doubled: number,
): ProofVerdict {
  const lost = [...expected.keys()].filter(name => !found.has(name))
  const strange = [...found.keys()].filter(name => !expected.has(name))
  const other = [...expected]
    .filter(([name, hash]) => found.has(name) && found.get(name) !== hash)
    .map(([name]) => name)
  return {
    files: expected.size,
    identical: expected.size - lost.length - other.length,
    lost: lost.length,
    doubled: doubled + strange.length,
    differing: [
      ...lost.map(name => `lost: ${name}`),
      ...other.map(name => `other content: ${name}`),
      ...strange.map(name => `too much: ${name}`),
    ],
  }
}

export function added(a: ProofVerdict, b: ProofVerdict): ProofVerdict {
  return {
    files: a.files + b.files,
    identical: a.identical + b.identical,
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    differing: [...a.differing, ...b.differing],
  }
}

export function verdictLine({ files, identical, lost, doubled }: ProofVerdict): string {
  return `prove: ${identical} of ${files} files identical, lost ${lost}, doubled ${doubled}`
}

export function isProved({ files, identical, lost, doubled }: ProofVerdict): boolean {
  return files > 0 && identical === files && lost === 0 && doubled === 0
}
