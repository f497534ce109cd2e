import { describe, expect, test } from 'vitest'
import { processorTime } from '../../../tests/support/processor-time.ts'
import { decodeText, decodeWindows949 } from './decode-text.ts'

// Three sentences in an encoding, and their bytes in base64, written by another program (Python's codecs).
const written: [encoding: string, text: string, bytes: string][] = [
  [
    'windows-1251',
    'Сегодня мы поговорим о новом мосте через реку. Он стоит восемнадцать миллионов рублей. Что ты делаешь? Я не знаю!',
    '0eXj7uTt/yDs+yDv7uPu4u7w6Owg7iDt7uLu7CDs7vHy5SD35fDl5yDw5erzLiDO7SDx8u7o8iDi7vHl7O3g5Pbg8vwg7Ojr6+ju7e7iIPDz4evl6S4g1/LuIPL7IOTl6+Dl+Pw/IN8g7eUg5+3g/iE=',
  ],
  [
    'koi8-r',
    'Сегодня мы поговорим о новом мосте через реку. Он стоит восемнадцать миллионов рублей. Что ты делаешь? Я не знаю!',
    '88XHz8TO0SDN2SDQz8fP18/Syc0gzyDOz9fPzSDNz9PUxSDexdLF2iDSxcvVLiDvziDT1M/J1CDXz9PFzc7BxMPB1NggzcnMzMnPzs/XINLVwszFyi4g/tTPINTZIMTFzMHF29g/IPEgzsUg2s7BwCE=',
  ],
  [
    'ibm866',
    'Сегодня мы поговорим о новом мосте через реку. Он стоит восемнадцать миллионов рублей. Что ты делаешь? Я не знаю!',
    'kaWjrqSt7yCs6yCvrqOuoq7gqKwgriCtrqKurCCsruHipSDnpeClpyDgparjLiCOrSDh4q6o4iCiruGlrK2gpOag4uwgrKirq6iura6iIODjoaulqS4gl+KuIOLrIKSlq6Cl6Ow/IJ8graUgp62g7iE=',
  ],
  [
    'iso-8859-5',
    'Сегодня мы поговорим о новом мосте через реку. Он стоит восемнадцать миллионов рублей. Что ты делаешь? Я не знаю!',
    'wdXT3tTd7yDc6yDf3tPe0t7g2Nwg3iDd3tLe3CDc3uHi1SDn1eDV1yDg1drjLiC+3SDh4t7Y4iDS3uHV3N3Q1ObQ4uwg3Njb29je3d7SIODj0dvV2S4gx+LeIOLrINTV29DV6Ow/IM8g3dUg193Q7iE=',
  ],
  [
    'windows-1251',
    'Сьогодні ми поговоримо про новий міст через річку. Він коштує вісімнадцять мільйонів гривень. Що ти робиш? Я не знаю!',
    '0fzu4+7k7bMg7Ogg7+7j7uLu8Ojs7iDv8O4g7e7i6Okg7LPx8iD35fDl5yDws/fq8y4gwrPtIOru+PLzuiDis/Gz7O3g5Pb/8vwg7LPr/Onu7bPiIOPw6OLl7fwuINnuIPLoIPDu4ej4PyDfIO3lIOft4P4h',
  ],
  [
    'gb18030',
    '今天我们来谈谈河上的新桥。 它的造价是一千八百万元。 你在做什么？我不知道！',
    'vfHM7M7Sw8fAtMy4zLi608nPtcTQwsfFoaMgy/y1xNTsvNvKx9K7x6ewy7DZzfLUqqGjIMTj1NrX9sqyw7Sjv87SsrvWqrXAo6E=',
  ],
  [
    'gbk',
    '今天我们来谈谈河上的新桥。 它的造价是一千八百万元。 你在做什么？我不知道！',
    'vfHM7M7Sw8fAtMy4zLi608nPtcTQwsfFoaMgy/y1xNTsvNvKx9K7x6ewy7DZzfLUqqGjIMTj1NrX9sqyw7Sjv87SsrvWqrXAo6E=',
  ],
  [
    'big5',
    '今天我們來談談河上的新橋。 它的造價是一千八百萬元。 你在做什麼？我不知道！',
    'pLWk0afarcyo073Nvc2qZaRXqrq3c770oUMgpaaqurN5u/msT6RApGSkS6bKuFWkuKFDIKdBpmKwtaSwu/KhSKfapKOqvrlEoUk=',
  ],
  [
    'shift_jis',
    '今日は川にかかる新しい橋についてお話しします。 費用は千八百万円です。 何をしているの？わかりません！',
    'jaGT+oLNkOyCyYKpgqmC6ZBWgrWCoou0gsmCwoKigsSCqJhigrWCtYLcgreBQiCU75dwgs2Q55SqlVOWnIl+gsWCt4FCIIm9gvCCtYLEgqKC6YLMgUiC7YKpguiC3IK5gvGBSQ==',
  ],
  [
    'euc-jp',
    '今日は川にかかる新しい橋についてお話しします。 費用は千八百万円です。 何をしているの？わかりません！',
    'uqPG/KTPwO6ky6SrpKuk67+3pLekpLa2pMukxKSkpMakqs/DpLekt6TepLmhoyDI8c3RpM/A6cisybTL/LHfpMekuaGjILK/pPKkt6TGpKSk66TOoamk76SrpOqk3qS7pPOhqg==',
  ],
  [
    'iso-2022-jp',
    '今日は川にかかる新しい橋についてお話しします。 費用は千八百万円です。 何をしているの？わかりません！',
    'GyRCOiNGfCRPQG4kSyQrJCskaz83JDckJDY2JEskRCQkJEYkKk9DJDckNyReJDkhIxsoQiAbJEJIcU1RJE9AaUgsSTRLfDFfJEckOSEjGyhCIBskQjI/JHIkNyRGJCQkayROISkkbyQrJGokXiQ7JHMhKhsoQg==',
  ],
  [
    'euc-kr',
    '오늘은 강을 가로지르는 새 다리에 대해 이야기하겠습니다. 비용은 천팔백만 원입니다. 뭐 하고 있어? 모르겠어요!',
    'v8C0w8C6ILCtwLsgsKG3zsH2uKO0wiC79SC02biuv6EgtOvH2CDAzL7fseLHz7DavcC0z7TZLiC68b/rwLogw7XGyLnpuLggv/jA1LTPtNkuILm5IMfPsO0gwNa+7j8guPC4o7Davu6/5CE=',
  ],
  ['euc-kr', '학교 끝나고 뭐 할래?', 'x9CxsyCzobOqsO0gubkgx9K3oT8='],
  ['windows-949', '뙇 하고 나타났어. 똠얌꿍 먹을래?', 'jI0gx8+w7SCzqsW4s7W+7i4gjGO+5LLhILjUwLu3oT8='],
  [
    'windows-1250',
    'Dziś porozmawiamy o nowym moście nad rzeką. Kosztuje osiemnaście milionów złotych. Co robisz? Nie wiem, ale źle się czuję!',
    'RHppnCBwb3Jvem1hd2lhbXkgbyBub3d5bSBtb5xjaWUgbmFkIHJ6ZWu5LiBLb3N6dHVqZSBvc2llbW5hnGNpZSBtaWxpb27zdyB6s290eWNoLiBDbyByb2Jpc3o/IE5pZSB3aWVtLCBhbGUgn2xlIHNp6iBjenVq6iE=',
  ],
  [
    'iso-8859-2',
    'Dziś porozmawiamy o nowym moście nad rzeką. Kosztuje osiemnaście milionów złotych. Co robisz? Nie wiem, ale źle się czuję!',
    'RHpptiBwb3Jvem1hd2lhbXkgbyBub3d5bSBtb7ZjaWUgbmFkIHJ6ZWuxLiBLb3N6dHVqZSBvc2llbW5htmNpZSBtaWxpb27zdyB6s290eWNoLiBDbyByb2Jpc3o/IE5pZSB3aWVtLCBhbGUgvGxlIHNp6iBjenVq6iE=',
  ],
  [
    'windows-1250',
    'Dnes budeme mluvit o novém mostě přes řeku. Stojí osmnáct milionů korun. Co děláš? Nevím, možná příště!',
    'RG5lcyBidWRlbWUgbWx1dml0IG8gbm926W0gbW9zdOwgcPhlcyD4ZWt1LiBTdG9q7SBvc21u4WN0IG1pbGlvbvkga29ydW4uIENvIGTsbOGaPyBOZXbtbSwgbW+ebuEgcPjtmnTsIQ==',
  ],
  [
    'iso-8859-2',
    'Dnes budeme mluvit o novém mostě přes řeku. Stojí osmnáct milionů korun. Co děláš? Nevím, možná příště!',
    'RG5lcyBidWRlbWUgbWx1dml0IG8gbm926W0gbW9zdOwgcPhlcyD4ZWt1LiBTdG9q7SBvc21u4WN0IG1pbGlvbvkga29ydW4uIENvIGTsbOG5PyBOZXbtbSwgbW++buEgcPjtuXTsIQ==',
  ],
  [
    'windows-1250',
    'Ma az új hídról beszélünk a folyó felett. Tizennyolc millió forintba kerül. Mit csinálsz? Nem tudom, talán később!',
    'TWEgYXog+mogaO1kcvNsIGJlc3rpbPxuayBhIGZvbHnzIGZlbGV0dC4gVGl6ZW5ueW9sYyBtaWxsafMgZm9yaW50YmEga2Vy/GwuIE1pdCBjc2lu4Wxzej8gTmVtIHR1ZG9tLCB0YWzhbiBr6XP1YmIh',
  ],
  [
    'windows-1256',
    'سنتحدث اليوم عن الجسر الجديد فوق النهر. تبلغ تكلفته ثمانية عشر مليونا. ماذا تفعل؟ لا أعرف!',
    '0+TKzc/LIMfh7ebjINrkIMfhzNPRIMfhzM/tzyDd5t4gx+Hk5dEuIMrI4dsgyt/h3crlIMvjx+TtySDa1NEg4+Ht5uTHLiDjx9DHIMrd2uG/IOHHIMPa0d0h',
  ],
  [
    'iso-8859-6',
    'سنتحدث اليوم عن الجسر الجديد فوق النهر. تبلغ تكلفته ثمانية عشر مليونا. ماذا تفعل؟ لا أعرف!',
    '0+bKzc/LIMfk6ujlINnmIMfkzNPRIMfkzM/qzyDh6OIgx+Tm59EuIMrI5NogyuPk4crnIMvlx+bqySDZ1NEg5eTq6ObHLiDlx9DHIMrh2eS/IOTHIMPZ0eEh',
  ],
  [
    'windows-1256',
    'امروز درباره پل جديد روي رودخانه صحبت مي کنيم. هزينه آن هجده ميليون است.',
    'x+PR5tIgz9HIx9HlIIHhIMzP7c8g0ebtINHmz87H5OUg1c3IyiDj7SCY5O3jLiDl0u3k5SDC5CDlzM/lIOPt4e3m5CDH08ou',
  ],
  [
    'windows-1253',
    'Σήμερα θα μιλήσουμε για τη νέα γέφυρα πάνω από τον ποταμό. Κοστίζει δεκαοκτώ εκατομμύρια ευρώ. Τι κάνεις; Δεν ξέρω!',
    '097s5fHhIOjhIOzp697z7/Xs5SDj6eEg9Ocg7d3hIOPd9vXx4SDw3O35IOHw/CD07+0g8O/04ez8LiDK7/P03+bl6SDk5erh7+r0/iDl6uH07+zs/fHp4SDl9fH+LiDU6SDq3O3l6fI7IMTl7SDu3fH5IQ==',
  ],
  [
    'iso-8859-7',
    'Σήμερα θα μιλήσουμε για τη νέα γέφυρα πάνω από τον ποταμό. Κοστίζει δεκαοκτώ εκατομμύρια ευρώ. Τι κάνεις; Δεν ξέρω!',
    '097s5fHhIOjhIOzp697z7/Xs5SDj6eEg9Ocg7d3hIOPd9vXx4SDw3O35IOHw/CD07+0g8O/04ez8LiDK7/P03+bl6SDk5erh7+r0/iDl6uH07+zs/fHp4SDl9fH+LiDU6SDq3O3l6fI7IMTl7SDu3fH5IQ==',
  ],
  [
    'windows-1255',
    'היום נדבר על הגשר החדש מעל הנהר. הוא עולה שמונה עשר מיליון שקלים. מה אתה עושה? אני לא יודע!',
    '5Onl7SDw4+H4IPLsIOTi+fgg5Ofj+SDu8uwg5PDk+C4g5OXgIPLl7OQg+e7l8OQg8vn4IO7p7Onl7yD59+zp7S4g7uQg4PrkIPLl+eQ/IODw6SDs4CDp5ePyIQ==',
  ],
  [
    'windows-1254',
    'Bugün nehrin üzerindeki yeni köprüden bahsedeceğiz. On sekiz milyon liraya mal oluyor. Ne yapıyorsun? Bilmiyorum!',
    'QnVn/G4gbmVocmluIPx6ZXJpbmRla2kgeWVuaSBr9nBy/GRlbiBiYWhzZWRlY2XwaXouIE9uIHNla2l6IG1pbHlvbiBsaXJheWEgbWFsIG9sdXlvci4gTmUgeWFw/XlvcnN1bj8gQmlsbWl5b3J1bSE=',
  ],
  [
    'windows-874',
    'วันนี้เราจะพูดถึงสะพานใหม่ข้ามแม่น้ำ ราคาสิบแปดล้านบาท คุณกำลังทำอะไร ฉันไม่รู้',
    'x9G5udXp4MPSqNC+2bS21qfK0L7SuePLweii6dLB4cHouenTIMPSpNLK1Lrhu7TF6dK5utK3IKTYs6HTxdGnt9PN0OTDIKnRueTB6MPZ6Q==',
  ],
  [
    'windows-1252',
    'Aujourd’hui nous parlerons du nouveau pont sur la rivière. Il coûte dix-huit millions d’euros. Que fais-tu ? Je ne sais pas, ça dépend !',
    'QXVqb3VyZJJodWkgbm91cyBwYXJsZXJvbnMgZHUgbm91dmVhdSBwb250IHN1ciBsYSByaXZp6HJlLiBJbCBjb/t0ZSBkaXgtaHVpdCBtaWxsaW9ucyBkkmV1cm9zLiBRdWUgZmFpcy10dSA/IEplIG5lIHNhaXMgcGFzLCDnYSBk6XBlbmQgIQ==',
  ],
  [
    'windows-1252',
    'Heute sprechen wir über die neue Brücke über den Fluss. Sie kostet achtzehn Millionen Euro. Was machst du? Ich weiß es nicht!',
    'SGV1dGUgc3ByZWNoZW4gd2lyIPxiZXIgZGllIG5ldWUgQnL8Y2tlIPxiZXIgZGVuIEZsdXNzLiBTaWUga29zdGV0IGFjaHR6ZWhuIE1pbGxpb25lbiBFdXJvLiBXYXMgbWFjaHN0IGR1PyBJY2ggd2Vp3yBlcyBuaWNodCE=',
  ],
  [
    'windows-1257',
    'Šiandien kalbėsime apie naują tiltą per upę. Jis kainuoja aštuoniolika milijonų. Ką tu darai? Nežinau!',
    '0GlhbmRpZW4ga2FsYutzaW1lIGFwaWUgbmF1auAgdGlsdOAgcGVyIHVw5i4gSmlzIGthaW51b2phIGHwdHVvbmlvbGlrYSBtaWxpam9u+C4gS+AgdHUgZGFyYWk/IE5l/mluYXUh',
  ],
  [
    'windows-1252',
    'The café is open, isn’t it? A naïve résumé.',
    'VGhlIGNhZukgaXMgb3BlbiwgaXNuknQgaXQ/IEEgbmHvdmUgculzdW3pLg==',
  ],
]

const cue = (words: Uint8Array) =>
  Buffer.concat([Buffer.from('1\n00:00:01,000 --> 00:00:02,500\n'), words, Buffer.from('\n\n')])
const wordsOf = (text: string) => text.split('\n')[2]

describe('the text of a subtitle file', () => {
  test.each(written)('in %s is "%s"', (_, text, base64) => {
    const found = decodeText(cue(Buffer.from(base64, 'base64')))
    expect(wordsOf(found.text)).toBe(text)
    expect(found.guessed).toBe(found.encoding !== 'iso-2022-jp')
  })

  test('in Korean of Windows has every syllable', () => {
    // The first and the last pair of bytes of each part of the code page, from Python's codec.
    const ends = Buffer.from('8141a0feb0a1c8fea141a1a0c641c652', 'hex')
    expect(decodeWindows949(ends)).toBe('갂좤가힝좥줎힍힣')
    expect(decodeWindows949(Buffer.from([0x41, 0x8c])).startsWith('A')).toBe(true)
  })

  test('in UTF-16 is read with its mark and without', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,500\n你好，世界。你好，世界。\n'
    const little = Buffer.from(text, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [little, big, Buffer.concat([Buffer.from([0xff, 0xfe]), little])])
      expect(decodeText(bytes)).toMatchObject({ text, guessed: false })
    expect(decodeText(Buffer.concat([Buffer.from([0xfe, 0xff]), big])).text).toBe(text)
  })

  test('in UTF-8 with a few broken bytes stays UTF-8', () => {
    const whole = Buffer.from('Привет, друзья мои. '.repeat(4))
    const broken = Buffer.concat([whole, Buffer.from([0xff, 0xd0]), Buffer.from(' конец')])
    expect(decodeText(broken)).toMatchObject({ encoding: 'utf-8', guessed: false })
    expect(decodeText(broken).text).toContain('мои. \ufffd\ufffd конец')
  })

  test('in Windows-1252 has its quotation marks, dashes and the euro sign on every Node', () => {
    const bytes = Buffer.from('It\x92s \x96 \x93don\x92t\x94 \x85 \x805', 'latin1')
    expect(decodeText(bytes)).toEqual({ text: 'It’s – “don’t” … €5', encoding: 'windows-1252', guessed: true })
  })

  test('with one letter beyond ASCII is taken for Windows-1252', () => {
    expect(decodeText(Buffer.from('caf\xe9', 'latin1')).text).toBe('café')
    expect(decodeText(Buffer.from('plain ASCII')).guessed).toBe(false)
    expect(decodeText(new Uint8Array()).text).toBe('')
  })

  test('that is long is guessed from a sample of all of it', () => {
    const english = Buffer.from('1\n00:00:01,000 --> 00:00:02,500\nplain words\n\n'.repeat(100_000))
    const russian = Buffer.from(written[0]![2], 'base64')
    const used = processorTime()
    expect(decodeText(Buffer.concat([english, cue(russian)])).encoding).toBe('windows-1251')
    expect(used()).toBeLessThan(1000)
  })
})
