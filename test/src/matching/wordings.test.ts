// Wordings of two venues for the same question, and for two similar ones. Written by hand and part of no labelled set,
// so they test the rules.
import { describe, expect, test } from 'vitest'
import { compareQuestions } from '#matching/compare/compare'
import { secondOpinion } from '#matching/decide/templates/secondOpinion'
import { TemplateDecisions } from '#matching/decide/templates/templateDecision'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import { simulatedJudge } from '#test/support/matching/simulatedJudge'

/** Before some of the named years and within others. */
const asOf = Date.UTC(2026, 10, 23)

type Row = readonly [one: string, other: string, id: string, label?: string]

const questions = ([one, other, id, label]: Row): [Question, Question] => [
  readQuestion({ venue: 'kalshi', marketId: id, title: one, subtitle: label }, { asOf }),
  readQuestion({ venue: 'polymarket', marketId: '500000', title: other }, { asOf }),
]

const band = (row: Row): string => compareQuestions(...questions(row)).matchBand

const equal: readonly Row[] = [
  [
    'Will Marco Rubio be confirmed as Secretary of State?',
    'Marco Rubio confirmed as Secretary of State?',
    'KXCONFIRM-25-MR',
  ],
  [
    'Time Person of the Year?',
    "Will Donald Trump be TIME's Person of the Year for 2025?",
    'KXTIME-25-DJT',
    'Donald Trump',
  ],
  ['Will Jerome Powell leave as Fed Chair before 2026?', 'Jerome Powell out as Fed Chair in 2025?', 'KXPOWELLLEAVE-25'],
  [
    'Will Mikey Madison win Best Actress at the Oscars?',
    'Will Mikey Madison win Best Actress at the 97th Academy Awards?',
    'KXOSCARACTR-25-MM',
  ],
  [
    'Best Actress winner at the Oscars?',
    'Oscars 2025: Will Mikey Madison win Best Actress?',
    'KXOSCARACTR-25-MM',
    'Mikey Madison',
  ],
  [
    'Who will win the Nobel Peace Prize?',
    'Will Donald Trump win the Nobel Peace Prize in 2025?',
    'KXNOBELPEACE-25-DJT',
    'Donald Trump',
  ],
  [
    'Will Mark Carney be the next Prime Minister of Canada?',
    'Will Mark Carney be the next Canadian Prime Minister?',
    'KXCANADAPM-25-MC',
  ],
  [
    'Will Friedrich Merz be the next Chancellor of Germany?',
    'Will Friedrich Merz be the next German Chancellor?',
    'KXGERCHANC-25-FM',
  ],
  [
    'Will Zohran Mamdani win the NYC mayoral election?',
    'Will Zohran Mamdani win the 2025 New York City mayoral election?',
    'KXMAYORNYC-25-ZM',
  ],
  [
    'Will TikTok be banned in the United States before May 2025?',
    'TikTok banned in the US before May?',
    'KXTIKTOKBAN-25MAY01',
  ],
  [
    'Will Robert F. Kennedy Jr. leave the Trump administration before 2026?',
    'Will RFK Jr. leave the Trump administration in 2025?',
    'KXRFKOUT-25',
  ],
  ['Will Trump pardon Ghislaine Maxwell this year?', 'Will Trump pardon Ghislaine Maxwell in 2025?', 'KXPARDON-25-GM'],
  [
    'Will Trump pardon Ghislaine Maxwell before Jan 1, 2026?',
    'Ghislaine Maxwell pardoned by Trump by December 31, 2025?',
    'KXPARDON-26JAN01-GM',
  ],
  [
    'How many seats will the CDU/CSU win in the German election?',
    'Will the CDU/CSU win 200 or more seats in the 2025 German election?',
    'KXCDUSEATS-25',
    '200 or more',
  ],
  [
    'How many Fed rate cuts in 2025?',
    'Will 3 Fed rate cuts happen in 2025?',
    'KXRATECUTCOUNT-25DEC31-T3',
    'Exactly 3 cuts',
  ],
  ['Will Sweden win Eurovision?', 'Will Sweden win Eurovision 2025?', 'KXEUROVISION-25-SE'],
  [
    'Will Timothée Chalamet attend the Met Gala?',
    'Will Timothee Chalamet attend the 2025 Met Gala?',
    'KXMETGALA-25-TC',
  ],
  ['Who will attend the Met Gala?', 'Will Rihanna attend the Met Gala?', 'KXMETGALA-25-R', 'Rihanna'],
  ['Will Elon Musk leave DOGE before Aug 2025?', 'Elon Musk out of DOGE before August?', 'KXMUSKOUT-25AUG01'],
  ['Will Luigi Mangione plead guilty before 2026?', 'Luigi Mangione pleads guilty in 2025?', 'KXLUIGI-26JAN01'],
  ['Will the next Pope be from Italy?', 'Will the next pope be Italian?', 'KXPOPECOUNTRY-70-IT'],
  [
    'Will Stephen Miran be confirmed to the Fed Board by Sep 30, 2025?',
    'Stephen Miran confirmed to Fed Board by September 30?',
    'KXMIRAN-25SEP30',
  ],
  [
    'Will Keir Starmer be out as Prime Minister before 2026?',
    'Starmer out as UK Prime Minister in 2025?',
    'KXSTARMEROUT-26JAN01',
  ],
  [
    'Will the Labor Party win the most seats in the Australian election?',
    'Will Labor win the most seats in the Australian federal election?',
    'KXAUS-25-LAB',
  ],
  [
    "Trump's approval rating on Jun 6, 2025?",
    "Will Trump's approval rating be 48.5% or higher on June 6?",
    'KXAPRPOTUS-25JUN06',
    '48.5 or above',
  ],
  ['Will Andrew Tate return to the UK this year?', 'Andrew Tate returns to UK in 2025?', 'KXTATE-25'],
  [
    'Will Ethan Slater and Ariana Grande be engaged before 2026?',
    'Ariana Grande and Ethan Slater engaged in 2025?',
    'KXENG-25',
  ],
  ['Will Trump end the Department of Education in 2025?', 'Trump ends Department of Education in 2025?', 'KXDEPED-25'],
  ['Will Israel strike Iran before July 2025?', 'Israel strikes Iran by June 30?', 'KXISRIRAN-25JUL01'],
  ['Will Grand Theft Auto VI be released before Jan 1, 2026?', 'GTA 6 released in 2025?', 'KXGTA6-26JAN01'],
  ['Which party will win the Senate?', 'Will Republicans win the Senate?', 'KXSENATE-24-R', 'Republican Party'],
  [
    'Will JD Vance be the Republican Vice Presidential nominee?',
    'Will J.D. Vance win the Republican VP nomination?',
    'KXVPR-24-JV',
  ],
  [
    'Will Gretchen Whitmer be the Democratic VP nominee?',
    'Will Gretchen Whitmer be the Democratic nominee for Vice President?',
    'KXVPD-24-GW',
  ],
  ['How many states will Trump win?', 'Will Trump win 31 states?', 'KXSTATES-24-31', '31'],
  ['Will Trump meet with Vladimir Putin before Apr 2025?', 'Trump meets with Putin by March 31?', 'KXPUTIN-25APR01'],
  ['Will Trump visit China before 2026?', 'Will Donald Trump visit China in 2025?', 'KXVISIT-26JAN01'],
  [
    'Will Pete Buttigieg be the Democratic nominee for Senate in Michigan?',
    'Will Pete Buttigieg win the Michigan Democratic Senate nomination in 2026?',
    'KX-26-PB',
  ],
  [
    'Who will be the Democratic nominee for Mayor of New York City?',
    'Will Brad Lander win the NYC Democratic mayoral nomination?',
    'KXNYC-25-BL',
    'Brad Lander',
  ],
  [
    'Will Thomas Massie vote for the One Big Beautiful Bill?',
    'Will Tom Massie vote to pass the One Big Beautiful Bill?',
    'KX-25',
  ],
  [
    'Will Dan Bongino be out as FBI Deputy Director before 2026?',
    'Dan Bongino out as Deputy Director of the FBI in 2025?',
    'KX-26',
  ],
  [
    'Will Volodymyr Zelenskyy be out as President of Ukraine before 2026?',
    'Will Zelensky no longer be President of Ukraine in 2025?',
    'KX-26',
  ],
  [
    'Will Ursula von der Leyen resign as President of the European Commission before 2026?',
    'Ursula von der Leyen resigns as European Commission President in 2025?',
    'KX-26',
  ],
  [
    'Who will be the next Archbishop of Canterbury?',
    'Will Sarah Mullally be the next Archbishop of Canterbury?',
    'KX-27',
    'Sarah Mullally',
  ],
  [
    'What share of the vote will Reform UK get in the UK election?',
    'Will Reform UK win 20-25% of the vote in the UK general election?',
    'KX-24',
    '20% to 24.99%',
  ],
  [
    'Will 52 Senators vote for Linda McMahon as Secretary of Education?',
    'Will Linda McMahon receive exactly 52 YEA votes in her Secretary of Education confirmation vote?',
    'KX-25',
  ],
  [
    'How many votes will it take to elect the Pope?',
    'Will the next Pope be elected in 4 ballots?',
    'KX-70',
    '4 ballots',
  ],
  ['Mickey 17 Rotten Tomatoes score Above 84?', 'Will "Mickey 17" Rotten Tomatoes score be 85 or higher?', 'KX-85'],
  [
    "Will Trump's approval rating be above 45% on July 4?",
    'Trump approval rating more than 45% on July 4?',
    'KX-25JUL04',
  ],
  ['Will Scottie Scheffler win the US Open?', 'Will Scottie Scheffler win the 2025 US Open?', 'KX-25'],
  ['Will Andrew Cuomo drop out of the NYC mayoral race?', 'Andrew Cuomo drops out of NYC mayoral race?', 'KX-25NOV04'],
  [
    'Will Rand Paul vote to confirm Pete Hegseth?',
    'Will Rand Paul vote to confirm Hegseth as Secretary of War?',
    'KX-25',
  ],
]

/** Equal, and worded so that a decision on the wording is needed. */
const decidedByWording: readonly Row[] = [
  [
    'Will Kevin Hassett be nominated as Fed Chair?',
    'Will Trump nominate Kevin Hassett as the next Fed chair?',
    'KXFEDCHAIRNOM-29-KH',
  ],
  [
    'Who will Trump nominate as Fed Chair?',
    'Will Trump nominate Kevin Warsh as the next Fed chair?',
    'KXFEDCHAIRNOM-29-KW',
    'Kevin Warsh',
  ],
  [
    'Will Trump say "Rigged" during the inauguration?',
    'Will Trump say "rigged" during inauguration speech?',
    'KXTRUMPSAY-25JAN20-RIG',
  ],
  [
    'Will voter turnout in the Irish election be above 60%?',
    'Will turnout in the Irish general election be more than 60%?',
    'KXIRISH-24',
  ],
]

const alike: readonly Row[] = [
  ['Will Trump visit China before 2026?', 'Will China visit Trump in 2025?', 'KXVISIT-26JAN01'],
  [
    'Will Sean Baker win Best Director at the Oscars?',
    'Will Sean Baker win Best Director at the Golden Globes?',
    'KXO-25-SB',
  ],
  ['Will Sean Baker win Best Director at the Oscars?', 'Will Sean Baker win Best Director?', 'KXO-25-SB'],
  ['Will Anora win Best Picture at the Oscars?', 'Will Anora be nominated for Best Picture at the Oscars?', 'KXO-25-A'],
  ['Will Anora win Best Picture at the Oscars?', 'Will Anora win the most Oscars?', 'KXO-25-A'],
  [
    'Will Pete Hegseth be confirmed as Secretary of Defense?',
    'Will Pete Hegseth be nominated as Secretary of Defense?',
    'KXC-25-PH',
  ],
  [
    'Will Casey DeSantis be the Republican nominee for Florida governor?',
    'Will Ron DeSantis be the Republican nominee for Florida governor?',
    'KX-26-CD',
  ],
  [
    'Will Casey DeSantis be the Republican nominee for Florida governor?',
    'Will DeSantis be the Republican nominee for Florida governor?',
    'KX-26-CD',
  ],
  [
    'Will Donald Trump Jr. be the Republican nominee in 2028?',
    'Will Donald Trump be the Republican nominee in 2028?',
    'KX-28-DJTJ',
  ],
  ['Will Trump vote for the budget bill?', 'Will Trump vote against the budget bill?', 'KX-25'],
  ['Will Susan Collins vote for Pete Hegseth?', 'Will Susan Collins vote to confirm Tulsi Gabbard?', 'KX-25'],
  [
    'Will 51 Senators vote to confirm Pete Hegseth?',
    'Will 51 Senators vote to confirm Kash Patel as FBI Director?',
    'KX-25',
  ],
  ['Will the AfD win the most seats in the German election?', 'Will the AfD win the German election?', 'KX-25'],
  [
    'Will Jerome Powell be out as Fed Chair before 2026?',
    'Will Jerome Powell announce he will leave as Fed Chair before 2026?',
    'KX-26',
  ],
  ['Will the next Pope be from Italy?', 'Will the next Pope be from Africa?', 'KX-70'],
  ['Will Real Madrid win the Champions League?', 'Will Atletico Madrid win the Champions League?', 'KX-25'],
  ['Will Israel strike Iran before July 2025?', 'Will Iran strike Israel before July 2025?', 'KX-25JUL01'],
  [
    'Will Mark Carney be the next Prime Minister of Canada?',
    'Will Mark Carney be Prime Minister of Canada on December 31?',
    'KX-25',
  ],
  ['Will Harry Styles release an album in 2025?', 'Will Harry Styles release a single in 2025?', 'KX-25'],
  [
    'Will "Thunderbolts" Rotten Tomatoes score be above 90?',
    'Will "Thunderbolts" Metacritic score be above 90?',
    'KX-25',
  ],
  ['Will Dune: Part Two Rotten Tomatoes score be above 90?', 'Will Dune Rotten Tomatoes score be above 90?', 'KX-25'],
  [
    "Will Trump's approval rating be above 50% on June 6?",
    "Will Trump's disapproval rating be above 50% on June 6?",
    'KX-25JUN06',
  ],
  [
    'Will the Conservatives win 100 or more seats in the UK election?',
    'Will the Conservatives lose 100 or more seats in the UK election?',
    'KX-24',
  ],
  ['Will Kamala Harris win the popular vote by 2-3%?', 'Will Kamala Harris win Pennsylvania by 2-3%?', 'KX-24'],
  ['Will Austria win Eurovision?', 'Will Australia win Eurovision?', 'KX-25'],
  ['Will Iceland win Eurovision?', 'Will Ireland win Eurovision?', 'KX-25'],
  [
    'Will Marco Rubio be the first to leave the Trump Cabinet?',
    'Will Marco Rubio be the next to leave the Trump Cabinet?',
    'KX-29',
  ],
  [
    'Will Emmanuel Macron be the next President of France?',
    'Will Emmanuel Macron be the next President of the European Commission?',
    'KX-27',
  ],
  ['Will Republicans win the House in 2026?', 'Will Republicans win the House in Texas in 2026?', 'KX-26'],
  [
    'Will Gavin Newsom win the 2028 Democratic presidential nomination?',
    'Will Gavin Newsom win the 2028 Democratic presidential primary in California?',
    'KX-28-GN',
  ],
  [
    'Will Gavin Newsom win the 2028 Democratic presidential nomination?',
    'Will Gavin Newsom win the 2028 presidential election?',
    'KX-28-GN',
  ],
  [
    'Will Gavin Newsom win the 2028 Democratic presidential nomination?',
    'Will Gavin Newsom run for the 2028 Democratic presidential nomination?',
    'KX-28-GN',
  ],
  [
    'Will Jon Ossoff win the Georgia Senate election?',
    'Will Jon Ossoff win the Georgia Senate election by more than 5%?',
    'KX-26-JO',
  ],
  [
    'Will Jon Ossoff win the Georgia Senate Democratic primary?',
    'Will Jon Ossoff win the Georgia Senate election?',
    'KX-26-JO',
  ],
  ['Will Lewis Hamilton win the Monaco Grand Prix?', 'Will Lewis Hamilton win the Monaco Grand Prix sprint?', 'KX-25'],
  [
    'Will Lewis Hamilton finish second in the Monaco Grand Prix?',
    'Will Lewis Hamilton finish third in the Monaco Grand Prix?',
    'KX-25',
  ],
  ['Will Beyoncé win Album of the Year at the Grammys?', 'Will Beyoncé win Song of the Year at the Grammys?', 'KX-67'],
  [
    'Will Beyoncé win Best Country Album at the Grammys?',
    'Will Beyoncé win Best Country Album at the CMA Awards?',
    'KX-67',
  ],
  ['Will Higher win Best Country Album at the Grammys?', 'Will Higher Love win Best Country Album?', 'KX-67'],
  [
    'Will the SPD receive between 15% and 20% of the vote in the German election?',
    'Will the CDU receive between 15% and 20% of the vote in the German election?',
    'KX-25',
  ],
  [
    'Will the SPD receive 15% or more of the vote in the German election?',
    'Will the SPD receive 15% or more of the vote in the Berlin election?',
    'KX-25',
  ],
  [
    'Will the SPD win 15% or more of the vote in the German election?',
    'Will the SPD win more than 15% of the seats in the German election?',
    'KX-25',
  ],
  [
    'Will 50 Senators vote to confirm Pete Hegseth?',
    'Will 50 Democratic Senators vote to confirm Pete Hegseth?',
    'KX-25',
  ],
  [
    'Will every Republican Senator vote for Pete Hegseth?',
    'Will every Democratic Senator vote for Pete Hegseth?',
    'KX-25',
  ],
  ['Will John Fetterman vote to confirm Pete Hegseth?', 'Will John Kennedy vote to confirm Pete Hegseth?', 'KX-25'],
  [
    'Will Trump say "tariff" during his speech on May 5, 2025?',
    'Will Trump say "tariff" 10+ times during his speech on May 5, 2025?',
    'KX-25MAY05',
  ],
  [
    'Will Trump say "tariff" during his speech on May 5, 2025?',
    'Will Vance say "tariff" during his speech on May 5, 2025?',
    'KX-25MAY05',
  ],
  [
    'Will Trump say "Biden" during his speech on May 5, 2025?',
    'Will Trump say "Hunter Biden" during his speech on May 5, 2025?',
    'KX-25MAY05',
  ],
  ['Will Mike Johnson remain Speaker through 2025?', 'Will Mike Johnson be out as Speaker before 2027?', 'KX-25'],
  [
    'Will Ken Paxton be the Republican nominee for Senate in Texas?',
    'Will Ken Paxton be the Republican nominee for Attorney General in Texas?',
    'KX-26',
  ],
  [
    'Will Adam Schiff be the next Senate Majority Leader?',
    'Will Adam Schiff be the next Senate Minority Leader?',
    'KX-26',
  ],
  [
    'Will John Thune be the next Senate Majority Leader?',
    'Will John Thune be the next House Majority Leader?',
    'KX-26',
  ],
  ['Will Bitcoin hit $150k by June 30, 2025?', 'Will Ethereum hit $150k by June 30, 2025?', 'KX-25'],
  ['Will Trump nominate Judy Shelton as Fed Chair?', 'Will Trump nominate Judy Shelton as Fed Vice Chair?', 'KX-25'],
  ['Will Trump nominate Judy Shelton as Fed Chair?', 'Will Trump consider Judy Shelton as Fed Chair?', 'KX-25'],
  ['Will Pam Bondi be Attorney General of Florida?', 'Will Pam Bondi be Attorney General?', 'KX-25'],
  [
    'Will Ron DeSantis win the Florida primary?',
    'Will Ron DeSantis win the Florida Republican primary in 2028?',
    'KX-24',
  ],
  [
    'Will Taylor Swift be the top artist on Spotify in 2025?',
    'Will Taylor Swift be the top artist on Apple Music in 2025?',
    'KX-25',
  ],
  [
    'Will Taylor Swift be the top artist on Spotify in 2025?',
    'Will Taylor Swift be the top female artist on Spotify in 2025?',
    'KX-25',
  ],
  ['Will Trump be impeached in 2025?', 'Will Trump be impeached by the House in 2026?', 'KX-25'],
  ['Will Zelensky leave office before 2026?', 'Will Putin leave office before 2026?', 'KX-26'],
  [
    'Will Zelensky be out as President of Ukraine before 2026?',
    'Will Zelensky be the next President of Ukraine?',
    'KX-26',
  ],
  ['Will Rahm Emanuel be the next DNC Chair?', 'Will Rahm Emanuel be the next DCCC Chair?', 'KX-25'],
  [
    'Will the Conservatives win 120 to 129 seats in the UK election?',
    'Will the Conservatives win 120 to 139 seats in the UK election?',
    'KX-24',
  ],
  [
    'Will George Walker be confirmed as Secretary of Energy?',
    'Will George Walker be confirmed as Secretary of Education?',
    'KX-25',
  ],
  ['Will Kevin Hassett be nominated as Fed Chair?', 'Will Kevin Hassett be confirmed as Fed Chair?', 'KX-25'],
  ['Will Scottie Scheffler win the US Open?', 'Will Scottie Scheffler win the Open Championship?', 'KX-25'],
  ['Will Scottie Scheffler win the US Open?', 'Will Scottie Scheffler win the British Open?', 'KX-25'],
  ['Will the Lakers win the series?', 'Will the Lakers win the game?', 'KX-25'],
  ['Will 215 Representatives vote to pass the tax bill?', 'Will 215 Senators vote to pass the tax bill?', 'KX-25'],
  ["Will Lina Khan be Trump's next FTC Chair?", "Will Lina Khan be Biden's next FTC Chair?", 'KX-25'],
  ['Will Bob Menendez be voted out?', 'Will Bob Menendez be out?', 'KX-25'],
  [
    'Will Moana 2 win Best Animated Feature at the Oscars?',
    'Will Moana win Best Animated Feature at the Oscars?',
    'KX-25',
  ],
  [
    'Will Emma Stone win Best Actress at the Oscars?',
    'Will Emma Stone win Best Supporting Actress at the Oscars?',
    'KX-25',
  ],
  ['Will Sweden win Eurovision?', 'Will Sweden win Eurovision Semi-Final 1?', 'KX-25'],
  ["Will Spain win the 2025 Women's Euro?", 'Will Spain win the 2025 Euro?', 'KX-25'],
  ['Will the Lakers win the NBA Finals?', 'Will the Lakers win the NBA Cup?', 'KX-25'],
  ['Will Nikola Jokic win NBA Finals MVP?', 'Will Nikola Jokic win NBA MVP?', 'KX-25'],
  ['Will Elon Musk be out as CEO of Tesla?', 'Will Elon Musk be out as CEO of X?', 'KX-25'],
  [
    'Will Thomas Massie be the Republican nominee for KY-04?',
    'Will Thomas Massie be the Republican nominee for Senate in Kentucky?',
    'KX-26',
  ],
  ['Will Trump win the popular vote by 1 to 2%?', 'Will Trump win the popular vote by 1.5 to 2%?', 'KX-24'],
  ['Will Bitcoin hit $80k by June 30, 2026?', 'Will Bitcoin dip to $80k by June 30, 2026?', 'KX-26'],
  [
    'Will Gabriel Attal be the next Prime Minister of France?',
    'Will Gabriel Attal be the next President of France?',
    'KX-27',
  ],
  [
    'Will Pam Bondi be confirmed as Attorney General?',
    'Will Pam Bondi be confirmed as Attorney General by February 15, 2025?',
    'KX-25',
  ],
  [
    'Will Tulsi Gabbard leave the Trump administration in 2025?',
    'Will Tulsi Gabbard leave the Democratic party in 2025?',
    'KX-25',
  ],
  [
    'Will Kamala Harris win the 2026 California governor election?',
    'Will Kamala Harris win the 2026 California governor primary?',
    'KX-26',
  ],
  [
    'Will Rafael Grossi be the next UN Secretary-General?',
    'Will Rafael Grossi be nominated as UN Secretary-General?',
    'KX-26',
  ],
  [
    'Will Trump declare a national emergency by December 31?',
    'Will Trump declare a national emergency over housing by December 31?',
    'KX-25',
  ],
  ['Will the Fed cut rates in March?', 'Will the Fed cut rates twice in March?', 'KX-26MAR'],
  ['Will Starmer be out as Labour leader before 2027?', 'Will Starmer be out as Prime Minister before 2027?', 'KX-26'],
  [
    'Will Chicago have more than 10 inches of snow in January?',
    'Will Boston have more than 10 inches of snow in January?',
    'KX-26JAN',
  ],
  [
    'Will Josh Shapiro be the Democratic nominee for President?',
    'Will Josh Shapiro be the Democratic nominee for Vice President?',
    'KX-28',
  ],
  [
    'Will Josh Shapiro be the Democratic nominee?',
    'Will Josh Shapiro be the Democratic nominee for Vice President?',
    'KX-28',
  ],
  [
    'Will AfD finish second in the German election?',
    'Will AfD finish second in Bavaria in the German election?',
    'KX-25',
  ],
  [
    'Will a Republican win the New Jersey governor election?',
    'Will a Democrat win the New Jersey governor election?',
    'KX-25',
  ],
  [
    'Will turnout be above 60% in the French election?',
    'Will turnout be above 60% in the first round of the French election?',
    'KX-27',
  ],
]

describe('verifies one question in the words of two venues', () => {
  test.each(equal.map((row): [string, string, Row] => [row[0], row[1], row]))('%s | %s', (_, __, row) => {
    expect(band(row)).toBe('verified')
  })
})

describe('verifies one question in the words of two venues only by a decision on the wording', () => {
  test.each(decidedByWording.map((row): [string, string, Row] => [row[0], row[1], row]))('%s | %s', (_, __, row) => {
    const [a, b] = questions(row)
    const first = compareQuestions(a, b)
    const { open } = secondOpinion(a, b, first, new TemplateDecisions())
    const decision = simulatedJudge().decide(open!, 'identity')!
    expect(first.matchBand).not.toBe('verified')
    expect(secondOpinion(a, b, first, new TemplateDecisions([decision])).result.matchBand).toBe('verified')
  })
})

describe('does not verify two questions in nearly the same words', () => {
  test.each(alike.map((row): [string, string, Row] => [row[0], row[1], row]))('%s | %s', (_, __, row) => {
    expect(band(row)).not.toBe('verified')
  })
})
