// Sounds that questions about videos ask for, in the words that captions use; one theme a line.
export const soundNames = `
  music, singing, a guitar, a piano, drums, a violin
  laughter, applause, a crowd cheering, booing
  a baby crying, a person crying, a person screaming, coughing, sneezing, snoring, whistling
  footsteps, clapping hands
  a dog barking, a cat meowing, birds singing, a rooster crowing, a cow mooing, insects buzzing, a horse trotting
  rain, thunder, wind, ocean waves, running water, fire crackling
  a car engine, a car horn, a train, an aeroplane, a helicopter, a motorcycle, a boat engine
  a siren, an alarm, a bell ringing, a telephone ringing, a clock ticking, a beep
  a door closing, a door bell, knocking on a door, glass breaking
  a hammer, a saw, a drill, a vacuum cleaner, typing on a keyboard, a camera shutter
  dishes clattering, frying food
  a gunshot, an explosion, fireworks, a thud, a splash, static hiss
`
  .trim()
  .split(/,\s+|\n\s*/)
