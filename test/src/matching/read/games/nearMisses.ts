// Pairs about games as two venues word them, written before the frames were first run against them. One line per pair:
// title, then "#" and the label, "^" and the event's title, "@" and the id, "[…|…]" the outcomes. Relation of the first
// Yes to the second Yes: "=" the same question, "~" the opposite, ">" the first implies the second, "x" they exclude
// each other, "." no certain relation.
const table = `
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Spread: Houston Astros (-1.5) on August 9, 2026 ^ Houston Astros vs. Los Angeles Dodgers
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Will the Houston Astros win on 2026-08-10? ^ Houston Astros vs. San Diego Padres
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Will Houston win the Houston vs San Diego MLS soccer game on August 9, 2026?
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Houston Astros vs. San Diego Padres: First 5 innings winner on August 9, 2026 [Houston Astros|San Diego Padres]
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Will the Houston Astros win the series against the San Diego Padres on August 9, 2026? ^ Houston Astros vs. San Diego Padres
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG09HOUSDG1-HOU <> Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG09HOUSDG2-HOU
. Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG091310HOUSD-HOU <> Houston vs San Diego on August 9, 2026 at 8:20 PM ET # Houston ^ MLB
. Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Will San Diego win the Houston vs Los Angeles MLB game on August 9, 2026?
> Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Houston Astros vs. San Diego Padres: O/U 1.5 on August 9, 2026 [Over|Under]
. Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Spread: Houston Astros (-1.5) in the first 5 innings on August 9, 2026 ^ Houston Astros vs. San Diego Padres
. Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Spread: Houston Astros (+1.5) on August 10, 2026 ^ Houston Astros vs. San Diego Padres
. Will Houston win by exactly 2 runs on August 9, 2026? ^ Houston vs San Diego MLB <> Spread: Houston Astros (-2) on August 9, 2026 ^ Houston Astros vs. San Diego Padres
. Spread: Denver Broncos (-3) on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs <> Denver wins by over 3 points? ^ Denver vs Kansas City: Spread @KXNFLSPREAD-26SEP14DENKC-DEN3
. Spread: Denver Broncos (-3) on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs [Broncos|Chiefs] <> Spread: Kansas City Chiefs (+3) on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs [Chiefs|Broncos]
. Spread: Denver Broncos (-3) on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs [Broncos|Chiefs] <> Denver wins by over 2.5 points? ^ Denver vs Kansas City: Spread @KXNFLSPREAD-26SEP14DENKC-DEN2
. Denver Broncos vs. Kansas City Chiefs: O/U 47 on September 14, 2026 [Over|Under] <> Denver vs Kansas City Pro Football game: Over 47 points? @KXNFLTOTAL-26SEP14DENKC-47
. Denver Broncos vs. Kansas City Chiefs: O/U 47 on September 14, 2026 [Over|Under] <> Denver Broncos vs. Kansas City Chiefs: O/U 47 on September 14, 2026 [Over|Under]
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Denver Broncos vs. Kansas City Chiefs: 1H Moneyline on September 14, 2026 [Broncos|Chiefs]
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will Denver win the Denver vs Kansas City NFL game in overtime on September 14, 2026?
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will Denver win the Denver vs Kansas City NFL game in Week 7 on October 25, 2026?
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will the Denver Broncos cover the spread against the Kansas City Chiefs on September 14, 2026? ^ Denver Broncos vs. Kansas City Chiefs
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will Denver score first in the Denver vs Kansas City NFL game on September 14, 2026?
. Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will Denver win the coin toss in the Denver vs Kansas City NFL game on September 14, 2026?
> Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will Denver win or tie the Denver vs Kansas City NFL game on September 14, 2026?
x Will Denver win the Denver vs Kansas City Pro Football game? # Denver @KXNFLGAME-26SEP14DENKC-DEN <> Will the Kansas City Chiefs beat the Denver Broncos on September 14, 2026? ^ Denver Broncos vs. Kansas City Chiefs NFL
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Vancouver Whitecaps FC vs. Houston Dynamo FC end in a draw? ^ Vancouver Whitecaps FC vs. Houston Dynamo FC on August 26, 2026
x Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Vancouver vs. Houston end in a draw on August 19, 2026? ^ Vancouver vs. Houston MLS
x Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Houston win on 2026-08-19? ^ Vancouver vs. Houston MLS
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Vancouver leading at halftime on August 19, 2026? ^ Vancouver vs. Houston MLS
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Vancouver advance on August 19, 2026? ^ Vancouver vs. Houston MLS
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Vancouver vs. Houston on August 19, 2026: Draw No Bet # Vancouver ^ MLS
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Vancouver win to nil on August 19, 2026? ^ Vancouver vs. Houston MLS
. Vancouver vs Houston Winner? # Vancouver ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-VAN <> Will Vancouver win both halves on August 19, 2026? ^ Vancouver vs. Houston MLS
. Will Spain win the Spain vs Argentina World Cup final on July 19, 2026 in 90 minutes? <> Will Spain win the Spain vs Argentina World Cup final on July 19, 2026 including extra time and penalties?
. Will Spain win the Spain vs Argentina World Cup final in regulation on July 19, 2026? <> Will Spain lift the trophy in Spain vs Argentina on July 19, 2026? ^ World Cup Final
. Spain vs Argentina on July 19, 2026: Spain to advance ^ World Cup <> Spain vs Argentina on July 19, 2026 winner # Spain ^ World Cup
. Spain vs Argentina on July 19, 2026: Spain wins on penalties ^ World Cup <> Spain vs Argentina on July 19, 2026 winner # Spain ^ World Cup
. Barcelona vs Sevilla on May 13, 2026 # Barcelona ^ LaLiga <> Barcelona SC vs Sevilla on May 13, 2026 # Barcelona SC ^ Friendly
. Barcelona vs Sevilla on May 13, 2026 # Barcelona ^ LaLiga <> Barcelona B vs Sevilla on May 13, 2026 # Barcelona B
. Barcelona vs Sevilla on May 13, 2026 # Barcelona ^ LaLiga <> Barcelona Women vs Sevilla Women on May 13, 2026 # Barcelona Women ^ Liga F
. Barcelona vs Sevilla on May 13, 2026 # Barcelona ^ LaLiga <> Barcelona Legends vs Sevilla Legends on May 13, 2026 # Barcelona Legends
. Real Madrid vs Sevilla on May 13, 2026 # Real Madrid ^ LaLiga <> Real Madrid Castilla vs Sevilla Atletico on May 13, 2026 # Real Madrid Castilla
. Will Barcelona win on May 13, 2026? <> Will Barcelona SC win on May 13, 2026?
. Will Arsenal win on May 13, 2026? <> Will Arsenal Women win on May 13, 2026?
. Will Chelsea win on May 13, 2026? <> Will Chelsea U21 win on May 13, 2026?
. Will Liverpool win on May 13, 2026? <> Will Liverpool Legends win on May 13, 2026?
. Will Everton win on May 13, 2026? <> Will Everton Reserves win on May 13, 2026?
. Will Villarreal win on May 13, 2026? <> Will Villarreal II win on May 13, 2026?
. Oldham Athletic vs Bury on May 13, 2026 # Oldham Athletic ^ Soccer <> Oldham United vs Bury on May 13, 2026 # Oldham United ^ Soccer
. Manchester United vs Chelsea on May 13, 2026 # Manchester United ^ Premier League <> Manchester City vs Chelsea on May 13, 2026 # Manchester City ^ Premier League
. England vs Spain on May 13, 2026 # England ^ Soccer <> England vs Spain U21 on May 13, 2026 # England ^ Soccer
. Michigan vs Ohio State on September 19, 2026 # Michigan ^ College Football <> Michigan State vs Ohio State on September 19, 2026 # Michigan State ^ College Football
. Miami vs Notre Dame on September 19, 2026 # Miami ^ College Football <> Miami (OH) vs Notre Dame on September 19, 2026 # Miami (OH) ^ College Football
. Texas vs Florida on November 21, 2026 # Texas ^ College Basketball <> Texas vs Florida on November 21, 2026 # Texas ^ College Football
. Arizona vs Dallas on October 4, 2026 # Arizona ^ NFL <> Arizona vs Dallas on October 4, 2026 # Arizona ^ NHL
. New York vs Boston on October 4, 2026 # New York ^ NBA <> New York vs Boston on October 4, 2026 # New York ^ NHL
. Los Angeles D vs San Francisco Winner? # Los Angeles D @KXMLBGAME-26AUG09LADSF-LAD <> Los Angeles Angels vs. San Francisco Giants on August 9, 2026 # Los Angeles Angels ^ MLB
. Indiana vs Chicago women's Pro Basketball game: Over 180.5 points? # Over 180.5 points scored @KXWNBATOTAL-26AUG08INDCHI-181 <> Indiana Pacers vs. Chicago Bulls: O/U 180.5 on August 8, 2026 [Over|Under]
. Indiana vs Chicago women's Pro Basketball game: Over 180.5 points? # Over 180.5 points scored @KXWNBATOTAL-26AUG08INDCHI-181 <> Indiana Fever vs. Chicago Sky: 1H O/U 180.5 on August 8, 2026 [Over|Under] ^ WNBA
. Indiana vs Chicago women's Pro Basketball game: Over 180.5 points? # Over 180.5 points scored @KXWNBATOTAL-26AUG08INDCHI-181 <> Indiana Fever Team Total: O/U 180.5 on August 8, 2026 [Over|Under] ^ Indiana Fever vs. Chicago Sky WNBA @fever
. Knicks vs. 76ers: O/U 213.5 on May 10, 2026 [Over|Under] ^ NBA <> Knicks vs. 76ers: O/U 213.5 on May 12, 2026 [Over|Under] ^ NBA
. Knicks vs. 76ers: O/U 213.5 on May 10, 2026 [Over|Under] ^ NBA <> Knicks vs. 76ers: Q1 O/U 53.5 on May 10, 2026 [Over|Under] ^ NBA
. Knicks vs. 76ers: O/U 110.5 on May 10, 2026 [Over|Under] ^ NBA <> Knicks vs. 76ers: 2H O/U 110.5 on May 10, 2026 [Over|Under] ^ NBA
. Knicks vs. 76ers: Series O/U 5.5 games on May 10, 2026 [Over|Under] ^ NBA <> Knicks vs. 76ers: O/U 5.5 on May 10, 2026 [Over|Under] ^ NBA
. Knicks team total over 104.5 on May 10, 2026 ^ Knicks vs. 76ers NBA <> 76ers team total over 104.5 on May 10, 2026 ^ Knicks vs. 76ers NBA
. Knicks win Game 3 on May 10, 2026 ^ Knicks vs. 76ers NBA <> Knicks win the series on May 10, 2026 ^ Knicks vs. 76ers NBA
. Who will win the series? # New York @KXNBASERIES-26NYKPHI-NYK ^ New York vs Philadelphia NBA series <> Knicks vs. 76ers on May 10, 2026 # Knicks ^ NBA
. Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Brunson: Rebounds O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
. Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Brunson: 1H Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
. Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Brunson: Points O/U 25.5 on May 12, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
. Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Williams: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
. Jalen Brunson: Points + Rebounds O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Brunson: Points + Assists O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
. Jalen Brunson: 25+ points in the series on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Jalen Brunson: Points O/U 25 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under] <> Jalen Brunson: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Will both teams score? ^ Vallecano vs Villarreal: BTTS on May 13, 2026 @KXLALIGABTTS-26MAY13RAYVIL-BTTS <> Will both teams score 2 or more goals on May 13, 2026? ^ Vallecano vs Villarreal LaLiga
. Will both teams score? ^ Vallecano vs Villarreal: BTTS on May 13, 2026 @KXLALIGABTTS-26MAY13RAYVIL-BTTS <> Will both teams score in the first half on May 13, 2026? ^ Vallecano vs Villarreal LaLiga
. Will both teams score? ^ Vallecano vs Villarreal: BTTS on May 13, 2026 @KXLALIGABTTS-26MAY13RAYVIL-BTTS <> Vallecano vs Villarreal: O/U 2.5 on May 13, 2026 [Over|Under] ^ LaLiga
. Exact Score: Vallecano 2 - 1 Villarreal on May 13, 2026? ^ Vallecano vs Villarreal LaLiga <> Exact Score: Villarreal 1 - 2 Vallecano at halftime on May 13, 2026? ^ Vallecano vs Villarreal LaLiga
x Exact Score: Vallecano 2 - 1 Villarreal on May 13, 2026? ^ Vallecano vs Villarreal LaLiga <> Exact Score: Vallecano 1 - 2 Villarreal on May 13, 2026? ^ Vallecano vs Villarreal LaLiga
. Vallecano vs Villarreal: O/U 9.5 Total Corners on May 13, 2026 [Over|Under] ^ LaLiga <> Vallecano vs Villarreal: O/U 9.5 on May 13, 2026 [Over|Under] ^ LaLiga
. Vallecano vs Villarreal: O/U 9.5 Total Corners on May 13, 2026 [Over|Under] ^ LaLiga <> Vallecano vs Villarreal: O/U 9.5 Total Cards on May 13, 2026 [Over|Under] ^ LaLiga
. MIN Wild at COL Avalanche: regulation winner # COL Avalanche ^ NHL @KXNHLREG-26MAY10MINCOL-COL <> Minnesota Wild vs. Colorado Avalanche on May 10, 2026 # Colorado Avalanche ^ NHL
. Minnesota Wild vs. Colorado Avalanche: 1st period O/U 1.5 on May 10, 2026 [Over|Under] ^ NHL <> Minnesota Wild vs. Colorado Avalanche: O/U 1.5 on May 10, 2026 [Over|Under] ^ NHL
. Will Jessica Pegula win set 1 in the Jessica Pegula vs Rebeka Masarova match on May 10, 2026? ^ WTA <> Jessica Pegula vs Rebeka Masarova on May 10, 2026 # Jessica Pegula ^ WTA
. Jessica Pegula vs Rebeka Masarova: Total sets O/U 2.5 on May 10, 2026 [Over|Under] ^ WTA <> Jessica Pegula vs Rebeka Masarova: Total games O/U 2.5 on May 10, 2026 [Over|Under] ^ WTA
. Counter-Strike: paiN vs FaZe (BO3) - IEM Atlanta on May 10, 2026 [paiN|FaZe] <> Counter-Strike: paiN vs FaZe - Map 1 Winner on May 10, 2026 [paiN|FaZe]
. Counter-Strike: paiN vs FaZe - Map 1 Winner on May 10, 2026 [paiN|FaZe] <> Counter-Strike: paiN vs FaZe - Map 2 Winner on May 10, 2026 [paiN|FaZe]
. Counter-Strike: paiN vs FaZe - Map 1: O/U 21.5 rounds on May 10, 2026 [Over|Under] <> Counter-Strike: paiN vs FaZe - Map 1: O/U 21.5 kills on May 10, 2026 [Over|Under]
. LoL: T1 vs Gen.G on May 10, 2026 [T1|Gen.G] <> LoL: T1 Academy vs Gen.G Academy on May 10, 2026 [T1 Academy|Gen.G Academy]
. Alice Ardelean vs. Polyana Viana on May 9, 2026 # Polyana Viana ^ UFC <> Will Polyana Viana win by KO or TKO on May 9, 2026? ^ UFC: Alice Ardelean vs. Polyana Viana
. Alice Ardelean vs. Polyana Viana on May 9, 2026: O/U 2.5 rounds [Over|Under] ^ UFC <> Alice Ardelean vs. Polyana Viana goes the distance on May 9, 2026? ^ UFC
. Delhi Capitals vs Punjab Kings on May 11, 2026 # Delhi Capitals ^ IPL <> Delhi Capitals vs Punjab Kings: toss winner on May 11, 2026 # Delhi Capitals ^ IPL
. Delhi Capitals vs Punjab Kings: over 31.5 total match fours on May 11, 2026 ^ IPL <> Delhi Capitals vs Punjab Kings: over 31.5 total match sixes on May 11, 2026 ^ IPL
= Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Will the Houston Astros beat the San Diego Padres on August 9, 2026? ^ Houston Astros vs. San Diego Padres
~ Houston vs San Diego Winner? # Houston @KXMLBGAME-26AUG092020HOUSD-HOU <> Will the San Diego Padres beat the Houston Astros on August 9, 2026? ^ Houston Astros vs. San Diego Padres
= Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Spread: Houston Astros (-1.5) on August 9, 2026 ^ Houston Astros vs. San Diego Padres
~ Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Spread: San Diego Padres (+1.5) on August 9, 2026 ^ Houston Astros vs. San Diego Padres
= Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Will the Houston Astros win by at least 2 runs on August 9, 2026? ^ Houston Astros vs. San Diego Padres
> Houston wins by over 3.5 runs? # Houston wins by over 3.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU4 <> Spread: Houston Astros (-1.5) on August 9, 2026 ^ Houston Astros vs. San Diego Padres
> Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Will the Houston Astros beat the San Diego Padres on August 9, 2026? ^ Houston Astros vs. San Diego Padres
x Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Will the San Diego Padres beat the Houston Astros on August 9, 2026? ^ Houston Astros vs. San Diego Padres
x Houston wins by over 1.5 runs? # Houston wins by over 1.5 runs ^ Houston vs San Diego: Spread @KXMLBSPREAD-26AUG092020HOUSD-HOU2 <> Spread: San Diego Padres (-1.5) on August 9, 2026 ^ Houston Astros vs. San Diego Padres
= Tampa Bay vs Seattle Total Runs? # Over 8.5 runs scored ^ Tampa Bay vs Seattle: Total Runs @KXMLBTOTAL-26AUG072145TBSEA-9 <> Tampa Bay Rays vs. Seattle Mariners: O/U 8.5 on August 7, 2026 [Over|Under]
~ Tampa Bay vs Seattle Total Runs? # Over 8.5 runs scored ^ Tampa Bay vs Seattle: Total Runs @KXMLBTOTAL-26AUG072145TBSEA-9 <> Tampa Bay Rays vs. Seattle Mariners: under 8.5 runs on August 7, 2026?
> Tampa Bay vs Seattle Total Runs? # Over 8.5 runs scored ^ Tampa Bay vs Seattle: Total Runs @KXMLBTOTAL-26AUG072145TBSEA-9 <> Tampa Bay Rays vs. Seattle Mariners: O/U 6.5 on August 7, 2026 [Over|Under]
> Seattle Mariners team total over 5.5 on August 7, 2026 ^ Tampa Bay Rays vs. Seattle Mariners <> Tampa Bay vs Seattle Total Runs? # Over 4.5 runs scored ^ Tampa Bay vs Seattle: Total Runs @KXMLBTOTAL-26AUG072145TBSEA-5
x Tampa Bay vs Seattle Total Runs? # Over 8.5 runs scored ^ Tampa Bay vs Seattle: Total Runs @KXMLBTOTAL-26AUG072145TBSEA-9 <> Tampa Bay Rays vs. Seattle Mariners: under 6.5 runs on August 7, 2026?
> Exact Score: Vallecano 2 - 1 Villarreal on May 13, 2026? ^ Vallecano vs Villarreal LaLiga <> Vallecano vs Villarreal: O/U 2.5 on May 13, 2026 [Over|Under] ^ LaLiga
> Exact Score: Vallecano 2 - 1 Villarreal on May 13, 2026? ^ Vallecano vs Villarreal LaLiga <> Will both teams score? ^ Vallecano vs Villarreal: BTTS @KXLALIGABTTS-26MAY13RAYVIL-BTTS
> Will both teams score? ^ Vallecano vs Villarreal: BTTS @KXLALIGABTTS-26MAY13RAYVIL-BTTS <> Vallecano vs Villarreal: O/U 1.5 on May 13, 2026 [Over|Under] ^ LaLiga
= Jalen Brunson: 26+ points on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
> Jalen Brunson: 30+ points on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: Points O/U 25.5 on May 10, 2026 ^ Knicks vs. 76ers NBA [Over|Under]
= Counter-Strike: paiN vs FaZe - Map 1 Winner on May 10, 2026 [paiN|FaZe] <> Will paiN win map 1 of Counter-Strike: paiN vs FaZe on May 10, 2026?
= Vancouver vs Houston: Tie on August 19, 2026? ^ Vancouver vs Houston @KXMLSGAME-26AUG19VANHOU-TIE <> Will Vancouver vs. Houston end in a draw on August 19, 2026? ^ MLS
. Getafe vs Mallorca: Over 2.5 goals and Getafe to win on May 13, 2026 ^ LaLiga <> Getafe vs Mallorca: O/U 2.5 on May 13, 2026 [Over|Under] ^ LaLiga
. Getafe vs Mallorca: Both teams to score and over 2.5 goals on May 13, 2026 ^ LaLiga <> Getafe vs Mallorca: Both teams to score on May 13, 2026 ^ LaLiga
. Will Getafe or Mallorca win on May 13, 2026? ^ Getafe vs Mallorca LaLiga <> Will Getafe win on May 13, 2026? ^ Getafe vs Mallorca LaLiga
. Will Getafe vs Mallorca not end in a draw on May 13, 2026? ^ LaLiga <> Will Getafe vs Mallorca end in a draw on May 13, 2026? ^ LaLiga
. Getafe to score in both halves on May 13, 2026 ^ Getafe vs Mallorca LaLiga <> Both teams to score on May 13, 2026 ^ Getafe vs Mallorca LaLiga
. Getafe to score first on May 13, 2026 ^ Getafe vs Mallorca LaLiga <> Getafe to win on May 13, 2026 ^ Getafe vs Mallorca LaLiga
. Getafe to win by 1-2 goals on May 13, 2026 ^ Getafe vs Mallorca LaLiga <> Getafe wins by over 1.5 goals on May 13, 2026 ^ Getafe vs Mallorca LaLiga
. Getafe vs Mallorca: odd total goals on May 13, 2026 ^ LaLiga <> Getafe vs Mallorca: even total goals on May 13, 2026 ^ LaLiga
. Getafe vs Mallorca: first leg winner on May 13, 2026 # Getafe ^ Copa <> Getafe vs Mallorca: second leg winner on May 13, 2026 # Getafe ^ Copa
. Getafe vs Mallorca: highest scoring half on May 13, 2026 # 1st half ^ LaLiga <> Getafe vs Mallorca on May 13, 2026: 1st half over 0.5 goals ^ LaLiga
. Getafe vs Mallorca: 2nd half winner on May 13, 2026 # Getafe ^ LaLiga <> Getafe vs Mallorca winner on May 13, 2026 # Getafe ^ LaLiga
. Getafe vs Mallorca: 1st half winner on May 13, 2026 # Getafe ^ LaLiga <> Getafe vs Mallorca: 1st half winner on May 13, 2026 # Mallorca ^ LaLiga Femenina
. Getafe vs Mallorca: over 2.5 goals by the 75th minute on May 13, 2026 ^ LaLiga <> Getafe vs Mallorca: over 2.5 goals on May 13, 2026 ^ LaLiga
. Getafe vs Mallorca: over 2.5 goals on May 13, 2026 ^ LaLiga <> Getafe vs Mallorca: over 2.5 yellow cards on May 13, 2026 ^ LaLiga
. Getafe vs Mallorca: over 9.5 corners on May 13, 2026 ^ LaLiga <> Getafe over 9.5 corners on May 13, 2026 ^ Getafe vs Mallorca LaLiga
. Getafe B vs Mallorca B: over 2.5 goals on May 13, 2026 ^ Segunda RFEF <> Getafe vs Mallorca: over 2.5 goals on May 13, 2026 ^ LaLiga
. Knicks vs. 76ers: race to 20 points on May 10, 2026 # Knicks ^ NBA <> Knicks vs. 76ers on May 10, 2026 # Knicks ^ NBA
. Knicks vs. 76ers: overtime? on May 10, 2026 ^ NBA <> Knicks vs. 76ers: tie at the end of regulation on May 10, 2026 ^ NBA
. Knicks vs. 76ers: Knicks lead after Q1 on May 10, 2026 ^ NBA <> Knicks vs. 76ers on May 10, 2026 # Knicks ^ NBA
. Knicks vs. 76ers: Knicks win Q1 on May 10, 2026 ^ NBA <> Knicks vs. 76ers: Knicks win 1H on May 10, 2026 ^ NBA
. Jalen Brunson: 25+ points and Knicks win on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Jalen Brunson to score the most points on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Will any player score 40+ points on May 10, 2026? ^ Knicks vs. 76ers NBA <> Jalen Brunson: 40+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Jalen Brunson: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA <> Knicks: 25+ points on May 10, 2026 ^ Knicks vs. 76ers NBA
. Jalen Brunson: 4+ threes on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: 4+ assists on May 10, 2026 ^ Knicks vs. 76ers NBA
. Jalen Brunson: under 25.5 points on May 10, 2026 ^ Knicks vs. 76ers NBA <> Jalen Brunson: over 25.5 points on May 12, 2026 ^ Knicks vs. 76ers NBA
. Yankees vs. Red Sox: run in the first inning on August 9, 2026 ^ MLB <> Yankees vs. Red Sox: O/U 0.5 on August 9, 2026 [Over|Under] ^ MLB
. New York Y vs Boston Total Runs? # Over 8.5 runs scored @KXMLBTOTAL-26AUG091305NYYBOSG1-9 <> New York Yankees vs. Boston Red Sox: O/U 8.5 on August 9, 2026 at 7:05 PM ET [Over|Under] ^ MLB
. New York Y vs Boston Total Runs? # Over 8.5 runs scored @KXMLBTOTAL-26AUG091305NYYBOS-9 <> New York Mets vs. Boston Red Sox: O/U 8.5 on August 9, 2026 [Over|Under] ^ MLB
. Yankees vs. Red Sox: most hits on August 9, 2026 # Yankees ^ MLB <> Yankees vs. Red Sox on August 9, 2026 # Yankees ^ MLB
. Yankees to win and over 8.5 runs on August 9, 2026 ^ Yankees vs. Red Sox MLB <> Yankees vs. Red Sox: O/U 8.5 on August 9, 2026 [Over|Under] ^ MLB
. Yankees win by over 1.5 runs on August 9, 2026 ^ Yankees vs. Red Sox MLB <> Red Sox win by over 1.5 runs on August 10, 2026 ^ Yankees vs. Red Sox MLB
. Jannik Sinner vs Carlos Alcaraz on June 7, 2026 # Jannik Sinner ^ ATP <> Jannik Sinner vs Carlos Alcaraz: first set winner on June 7, 2026 # Jannik Sinner ^ ATP
. Jannik Sinner -1.5 sets on June 7, 2026 ^ Jannik Sinner vs Carlos Alcaraz ATP <> Jannik Sinner -1.5 games on June 7, 2026 ^ Jannik Sinner vs Carlos Alcaraz ATP
. Jannik Sinner (-4.5) on June 7, 2026 ^ Jannik Sinner vs Carlos Alcaraz ATP <> Jannik Sinner vs Carlos Alcaraz on June 8, 2026 # Jannik Sinner ^ ATP
. LoL: T1 vs Gen.G - Game 2 Winner on May 10, 2026 [T1|Gen.G] <> LoL: T1 vs Gen.G (BO5) on May 10, 2026 [T1|Gen.G]
. LoL: T1 vs Gen.G - Game 1: first blood on May 10, 2026 [T1|Gen.G] <> LoL: T1 vs Gen.G - Game 1 Winner on May 10, 2026 [T1|Gen.G]
. Counter-Strike: paiN vs FaZe: Map handicap paiN (-1.5) on May 10, 2026 [paiN|FaZe] <> Counter-Strike: paiN vs FaZe: Games Total: O/U 2.5 on May 10, 2026 [Over|Under]
. Will India win the India vs Pakistan T20 on May 10, 2026? ^ cricket <> Will India win the India vs Pakistan ODI on May 10, 2026? ^ cricket
. Denver wins by 3 points or more on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs NFL <> Denver wins by more than 3 points on September 14, 2026 ^ Denver Broncos vs. Kansas City Chiefs NFL
. Carolina vs Dallas on October 4, 2026 # Carolina ^ NHL <> Carolina vs Dallas on October 4, 2026: Carolina in overtime ^ NHL
. Carolina Hurricanes vs Dallas Stars: 60 minute winner on October 4, 2026 # Carolina Hurricanes ^ NHL <> Carolina Hurricanes vs Dallas Stars on October 4, 2026 # Carolina Hurricanes ^ NHL
`

export type RelationSign = '=' | '~' | '>' | 'x' | '.'
export interface ListedBet {
  title: string
  subtitle: string | null
  eventTitle: string | null
  id: string
  outcomes: string[] | null
}
export interface NearMiss {
  sign: RelationSign
  text: string
  a: ListedBet
  b: ListedBet
}

function sideOf(words: string, fallback: string): ListedBet {
  const found = /^(.*?)(?= #| \^| @| \[|$)(.*)$/.exec(words.trim())!
  const mark = (sign: string): string | null =>
    new RegExp(` \\${sign} ?(.*?)(?= #| \\^| @| \\[|$)`).exec(found[2]!)?.[1]?.trim() ?? null
  const outcomes = /\[(.*)\]/.exec(found[2]!)?.[1]?.split('|') ?? null
  return {
    title: found[1]!.trim(),
    subtitle: mark('#'),
    eventTitle: mark('^'),
    id: mark('@') ?? fallback,
    outcomes,
  }
}

export const nearMisses: readonly NearMiss[] = table
  .trim()
  .split('\n')
  .map((line, at) => {
    const [a, b] = line.slice(2).split(' <> ') as [string, string]
    return { sign: line[0] as RelationSign, text: line, a: sideOf(a, `a${at}`), b: sideOf(b, `b${at}`) }
  })
