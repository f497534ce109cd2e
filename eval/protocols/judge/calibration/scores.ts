// Eight references of four facts each, with each fact once more in other words, and something else that is wrong. An answer that
// holds k of the four is worth 2.5 k of 10 by construction; k from 0 to 4 makes the five bands. All texts are ours.
export const scored = [
  {
    question: 'What happens on the day of the flood?',
    facts: [
      'The river rises in the night.',
      'The school is closed.',
      'Soldiers bring sandbags.',
      'A cow is saved by boat.',
    ],
    said: [
      'During the night the water in the river climbs.',
      'There are no lessons, since the school stays shut.',
      'Bags of sand are brought by the army.',
      'Someone rescues a cow with a boat.',
    ],
    wrong: 'The day is dry, and a fair is held on the square.',
  },
  {
    question: 'How is the bread made?',
    facts: [
      'The flour is sieved twice.',
      'The dough rests for a night.',
      'Walnuts are added.',
      'It is baked in a clay pot.',
    ],
    said: [
      'They put the flour through a sieve two times.',
      'The dough is left until the next morning.',
      'Walnuts go into it.',
      'A pot of clay is what it is baked in.',
    ],
    wrong: 'A noodle soup is cooked and served with chives.',
  },
  {
    question: 'Summarise the job interview.',
    facts: ['Lea comes too late.', 'She spills coffee.', 'The boss knows her father.', 'She is offered the job.'],
    said: [
      'Lea does not arrive on time.',
      'Coffee is spilt by her.',
      'Her father turns out to be known to the boss.',
      'In the end the post is offered to her.',
    ],
    wrong: 'Two brothers argue about a motorbike.',
  },
  {
    question: 'What do the divers find and do?',
    facts: [
      'They find an anchor.',
      'One of them loses a fin.',
      'A seal follows them.',
      'They mark the place with a buoy.',
    ],
    said: [
      'An anchor is discovered.',
      'A fin gets lost by one diver.',
      'They are followed by a seal.',
      'A buoy is set to mark the spot.',
    ],
    wrong: 'They climb a glacier and camp on a ridge.',
  },
  {
    question: 'Why does the theatre close?',
    facts: ['The roof leaks.', 'Ticket sales have halved.', 'The director retires.', 'The town wants a car park.'],
    said: [
      'Rain comes in through the roof.',
      'Only half as many tickets are sold as before.',
      'The director stops working because of age.',
      'A car park is what the town would like there.',
    ],
    wrong: 'A new swimming pool is opened with a concert.',
  },
  {
    question: 'What does the beekeeper explain?',
    facts: ['Bees dance to show the way.', 'Smoke calms them.', 'A hive has one queen.', 'Honey is taken in July.'],
    said: [
      'The way is shown by bees with a dance.',
      'With smoke they become calm.',
      'There is a single queen in a hive.',
      'July is the month when the honey is taken out.',
    ],
    wrong: 'She explains how sheep are shorn and wool is dyed.',
  },
  {
    question: 'How does the expedition go wrong?',
    facts: [
      'The radio breaks.',
      'The sledge dogs run away.',
      'A storm lasts three days.',
      'They eat the last biscuits.',
    ],
    said: [
      'Their radio stops working.',
      'The dogs of the sledge get away.',
      'For three days there is a storm.',
      'The biscuits are eaten up to the last one.',
    ],
    wrong: 'Everything goes to plan, and they return early with all they wanted.',
  },
  {
    question: 'What is learnt about the old station?',
    facts: ['It was built in 1889.', 'A king once slept there.', 'It has a glass roof.', 'Today it is a market.'],
    said: [
      'The year of its building is 1889.',
      'Once a king spent a night in it.',
      'Its roof is made of glass.',
      'Nowadays a market is held in it.',
    ],
    wrong: 'It is said how trams are cleaned at night.',
  },
]
