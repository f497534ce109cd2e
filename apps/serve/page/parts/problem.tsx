import type { ComponentChildren } from 'preact'
import { visibleText } from '../../../../src/core/words/visible-text.ts'
import { ApiError } from '../api.ts'

// What went wrong and the next step.
export function ProblemNotice({ error, again }: { error: Error; again?: () => void }) {
  const serverHint = error instanceof ApiError ? error.hint : undefined
  const hint = serverHint !== undefined && /^(GET|POST) \//.test(serverHint) ? undefined : serverHint // a route helps programs only
  return (
    <div class="problem" role="alert">
      <p>{visibleText(error.message)}</p>
      {hint !== undefined && <p class="dim">{visibleText(hint)}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

// If there is nothing yet: why, and what to do.
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}
