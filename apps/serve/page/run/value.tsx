import { Text } from '../../../../src/page/text.tsx'

// The input of a call: one line for each name, whatever is below it as JSON.
export function ValueView({ of }: { of: unknown }) {
  if (typeof of !== 'object' || of === null || Array.isArray(of)) return <Text class="mono" of={asText(of)} />
  const fields = Object.entries(of)
  if (fields.length === 0) return <span class="dim">no input</span>
  return (
    <dl class="value">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text of={name} />
          </dt>
          <dd>
            <Text of={asText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
