interface TabsProps {
  label: string
  tabs: readonly { name: string; title: string; dim?: boolean }[]
  chosen: string
  panel: string // the id of what they show
  choose(name: string): void
}

// Tabs as keys and screen readers expect them: one stop, arrows between them.
export function Tabs({ label, tabs, chosen, panel, choose }: TabsProps) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    choose(next.name)
    document.getElementById(buildTabId(panel, next.name))?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {tabs.map(({ name, title, dim }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={buildTabId(panel, name)}
          class={dim ? 'quiet none' : 'quiet'}
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
          onKeyDown={move}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

function buildTabId(panel: string, name: string): string {
  return `tab-${panel}-${name}`
}
