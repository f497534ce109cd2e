import { useSignal } from '@preact/signals'
import { Copy } from '../parts/copy.tsx'
import { token } from '../token.ts'

// How other programs reach this very server. The token is shown when it is asked for, and copied with each.
export function Snippets() {
  const shows = useSignal(false)
  const key = shows.value ? (token.value ?? '') : '$LONGTAKE_TOKEN'
  const { origin } = location
  return (
    <section aria-labelledby="snippets-title">
      <div class="section-head">
        <h2 id="snippets-title">Other programs</h2>
        <label class="small">
          <input
            type="checkbox"
            checked={shows.value}
            onChange={({ currentTarget }) => {
              shows.value = currentTarget.checked
            }}
          />{' '}
          include the token
        </label>
      </div>
      <dl class="snippets">
        {snippets(origin, key).map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <Copy text={text} label={title} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function snippets(origin: string, key: string): { title: string; text: string }[] {
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } }
  return [
    { title: 'The API', text: `curl -H "Authorization: Bearer ${key}" ${origin}/api/videos` },
    { title: 'OpenAI clients', text: `export OPENAI_BASE_URL=${origin}/v1\nexport OPENAI_API_KEY=${key}` },
    {
      title: 'Claude Code',
      text: `claude mcp add --transport http longtake ${origin}/mcp --header "Authorization: Bearer ${key}"`,
    },
    { title: 'Other MCP hosts', text: JSON.stringify({ mcpServers: { longtake: server } }, null, 2) },
  ]
}
