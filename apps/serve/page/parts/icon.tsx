const paths = {
  plus: 'M12 4v16M4 12h16',
  film: 'M8 5l11 7-11 7z',
  note: 'M10 17V6l8-2v10M10 17a3 2.5 0 1 1-1-2M18 14a3 2.5 0 1 1-1-2',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
} as const

// Drawn, since no font is sure to have these signs. It says nothing: a word stands beside it or names the control.
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
