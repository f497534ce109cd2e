import { Dialog } from '../../../src/page/dialog.tsx'

const groups: { title: string; keys: [keys: string, does: string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['/ Ctrl-K', 'search in all videos'],
      ['?', 'all keys'],
    ],
  },
  {
    title: 'Player',
    keys: [
      ['space k', 'play, pause'],
      ['j l', 'back, forward 10 s'],
      ['← →', 'back, forward 5 s'],
      [', .', 'previous, next frame'],
    ],
  },
  {
    title: 'Lanes',
    keys: [
      ['[ ]', 'previous, next row of the lane'],
      ['↑ ↓', 'lane above, below'],
      ['+ -', 'zoom'],
      ['0', 'all of the video'],
    ],
  },
  {
    title: 'Answers',
    keys: [
      ['a', 'ask'],
      ['c', 'cite this moment in the next question'],
      ['n p', 'next, previous citation'],
    ],
  },
  {
    title: 'Run',
    keys: [
      ['← p', 'previous step'],
      ['→ n', 'next step'],
      ['Home End', 'first, last step'],
    ],
  },
]

export function KeyList({ close }: { close(): void }) {
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
      <p class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
