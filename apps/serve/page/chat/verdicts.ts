// A sign and a word for each verdict: colour is not the only one.
export const verdictSigns = {
  supported: { sign: '✓', title: 'supported by what it cites' },
  follows: { sign: '≈', title: 'inferred from what it cites' },
  contradicted: { sign: '✗', title: 'contradicted by what it cites' },
  unseen: { sign: '?', title: 'not seen in what it cites' },
} as const
