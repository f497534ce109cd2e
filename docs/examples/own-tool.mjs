// Headings: texts that stay on screen for long. It lies anywhere and imports nothing; what it needs comes as arguments.
export default ({ z, UsageError }) => ({
  name: 'headings',
  description: 'The texts that stay on screen longest, for questions about the parts of a talk.',
  input: z.object({
    seconds: z.number().positive().default(5).describe('how long a text must stay'),
  }),
  async run({ seconds }, context) {
    const { state } = context.index.coverage.text
    if (state === 'off' || state === 'failed')
      throw new UsageError(`The text track is ${state}.`, { hint: 'Index it again.' })
    const rows = context.index.evidence({ tracks: ['text'] })
    const headings = rows.filter(row => row.span.end - row.span.start >= seconds)
    return { evidence: headings, text: `${headings.length} of ${rows.length} texts stay for ${seconds} seconds.` }
  },
})
