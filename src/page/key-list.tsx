import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'

export interface KeyGroup {
  title: string
  keys: readonly (readonly [keys: string, does: string])[]
}

interface KeyListProps {
  groups: readonly KeyGroup[]
  close(): void
  children?: ComponentChildren
}

// All keys of a page, as "?" shows them.
export function KeyList({ groups, close, children }: KeyListProps) {
  return (
    <Dialog title="Keys" close={close}>
      <div class="key-groups">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([names, does]) => (
                <div key={names}>
                  <dt>
                    {names.split(' ').map(name => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {children}
      <p class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
