import { useSignal } from '@preact/signals'

// A text to be taken elsewhere: a command, a setting of another program.
export function Copy({ text, label }: { text: string; label: string }) {
  const copied = useSignal<'no' | 'yes' | 'refused'>('no')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        copied.value = 'yes'
        setTimeout(() => {
          copied.value = 'no'
        }, 2000)
      },
      () => {
        copied.value = 'refused'
      },
    )
  return (
    <div class="copy">
      <pre>{text}</pre>
      <button type="button" class="small" onClick={copy} aria-label={`Copy ${label}`}>
        {copied.value === 'yes' ? 'Copied' : copied.value === 'refused' ? 'Select it' : 'Copy'}
      </button>
    </div>
  )
}
