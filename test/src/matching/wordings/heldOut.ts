// Pairs as two venues word their markets, made up for families that no labelled set contains: written before the
// general parser and never tuned by name. One line per pair: title, then "#" and the label, "@" and the id; "=" the
// same question, "!" two that must not be taken for one, "~" the opposite.
const table = `
= Will Marta Dolan be elected mayor of Tampa? @KXTAMPA-27 <> Will Marta Dolan win the 2027 Tampa mayoral election?
= Who will win the Tampa mayoral election? # Marta Dolan @KXTAMPA-27-MD <> Will Marta Dolan be elected Mayor of Tampa in 2027?
! Who will win the Tampa mayoral primary? # Marta Dolan @KXTAMPA-27-MD <> Will Marta Dolan be elected Mayor of Tampa in 2027?
! Will Marta Dolan be elected mayor of Tampa? @KXTAMPA-27 <> Will Marta Dolan win the 2027 Tampa city council election?
! Will Marta Dolan be elected mayor of Tampa? @KXTAMPA-27 <> Will Marta Dolan be appointed mayor of Tampa in 2027?
! Will Marta Dolan win the first round of the Tampa mayoral election? @KXTAMPA-27 <> Will Marta Dolan win the 2027 Tampa mayoral election?
! Will Marta Dolan run for mayor of Tampa? @KXTAMPA-27 <> Will Marta Dolan win the 2027 Tampa mayoral election?
= Will Orsted acquire Vestas before Jan 1, 2027? <> Will Orsted buy Vestas by December 31, 2026?
= Will Vestas be acquired by Orsted before Jan 1, 2027? <> Will Orsted acquire Vestas by December 31, 2026?
= Who will acquire Vestas before 2027? # Orsted <> Orsted acquires Vestas by December 31, 2026?
! Will Orsted acquire Vestas before Jan 1, 2027? <> Will Vestas acquire Orsted by December 31, 2026?
! Will Vestas be acquired by Orsted before Jan 1, 2027? <> Will Vestas acquire Orsted by December 31, 2026?
! Will Orsted acquire Vestas before Jan 1, 2027? <> Will Orsted announce it will acquire Vestas by December 31, 2026?
! Will Orsted acquire Vestas before Jan 1, 2027? <> Will Orsted bid for Vestas by December 31, 2026?
! Will Orsted acquire Vestas before Jan 1, 2027? <> Will Orsted acquire Vestas by June 30, 2026?
! Will Orsted acquire Vestas before Jan 1, 2027? <> Will Orsted acquire a stake in Vestas by December 31, 2026?
= Will Sony release the PlayStation 6 before 2028? <> PlayStation 6 released by December 31, 2027?
= Will Sony launch the PlayStation 6 before Jan 1, 2028? <> Will Sony release PlayStation 6 by December 31, 2027?
! Will Sony announce the PlayStation 6 before Jan 1, 2028? <> Will Sony release PlayStation 6 by December 31, 2027?
! Will Sony release the PlayStation 6 before Jan 1, 2028? <> Will Sony release PlayStation 6 by December 31, 2028?
! Will Sony release the PlayStation 6 Pro before Jan 1, 2028? <> Will Sony release PlayStation 6 by December 31, 2027?
! Will Sony release the PlayStation 6 in 2027? <> Will Sony release the PlayStation 6 by March 31, 2027?
= Will Tallis Voss leave as CEO of Corwin before 2027? <> Tallis Voss out as Corwin CEO by December 31, 2026?
= Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Will Tallis Voss no longer be CEO of Corwin by December 31, 2026?
! Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Will Tallis Voss resign as Corwin CEO by December 31, 2026?
! Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Will Tallis Voss be fired as Corwin CEO by December 31, 2026?
! Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Will Tallis Voss announce he is leaving as Corwin CEO by December 31, 2026?
! Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Tallis Voss out as chairman of Corwin by December 31, 2026?
~ Tallis Voss out as CEO of Corwin before Jan 1, 2027? <> Will Tallis Voss remain CEO of Corwin through December 31, 2026?
! Will Tallis Voss be the next CEO of Corwin? <> Will Tallis Voss be the first to leave as CEO of Corwin?
= Who will be the next CEO of Corwin? # Ida Brandt <> Will Ida Brandt be named the next CEO of Corwin?
= Will Ida Brandt become the next CEO of Corwin? <> Ida Brandt next Corwin CEO?
! Will Ida Brandt become the next CEO of Corwin? <> Will Ida Brandt become interim CEO of Corwin?
! Will Ida Brandt become the next CEO of Corwin? <> Will Ida Brandt become the next CFO of Corwin?
= Will Portugal recognize the state of Palestine before July 2026? <> Will Portugal recognise the State of Palestine by June 30, 2026?
! Will Portugal recognize the state of Palestine before July 2026? <> Will Palestine recognize Portugal by June 30, 2026?
! Will Portugal recognize the state of Palestine before July 2026? <> Will Portugal vote to recognize the state of Palestine by June 30, 2026?
! Will Portugal recognize Palestine before July 2026? <> Will Portugal recognize Taiwan by June 30, 2026?
= Will Trump pardon Nils Aker before 2027? <> Trump pardons Nils Aker by December 31, 2026?
= Who will Trump pardon before Jan 1, 2027? # Nils Aker <> Will Donald Trump pardon Nils Aker by December 31, 2026?
= Will Nils Aker be pardoned by Trump before 2027? <> Trump pardons Nils Aker by December 31, 2026?
! Will Trump pardon Nils Aker before 2027? <> Will Trump commute the sentence of Nils Aker by December 31, 2026?
! Will Trump pardon Nils Aker before 2027? <> Will Trump say he will pardon Nils Aker by December 31, 2026?
! Will Trump pardon Nils Aker before 2027? <> Will Biden pardon Nils Aker by December 31, 2026?
! Will Trump pardon Nils Aker before 2027? <> Will Trump not pardon Nils Aker and Lars Aker by December 31, 2026?
= Will Nils Aker be indicted before Aug 1, 2026? <> Nils Aker indicted by July 31, 2026?
! Will Nils Aker be indicted before Aug 1, 2026? <> Nils Aker charged by July 31, 2026?
! Will Nils Aker be indicted before Aug 1, 2026? <> Nils Aker arrested by July 31, 2026?
! Will Nils Aker be indicted before Aug 1, 2026? <> Nils Aker convicted by July 31, 2026?
! Will Nils Aker be found guilty before Aug 1, 2026? <> Nils Aker found not guilty by July 31, 2026?
! Will Nils Aker be found guilty on any count before Aug 1, 2026? <> Nils Aker found guilty on all counts by July 31, 2026?
= What will Powell say during the June press conference? # Stagflation @KXFEDMENTION-26JUN17-STAG <> Will Powell mention "Stagflation" during June 2026 press conference?
= What will Ursula Karl say during her State of the Union? # Tariff @KXUKMENTION-26SEP10-TARI <> Will Ursula Karl say "Tariff" during the State of the Union on September 10?
! What will Ursula Karl say during her State of the Union? # Tariff @KXUKMENTION-26SEP10-TARI <> Will Ursula Karl say "Tariff" 5+ times during the State of the Union on September 10?
! What will Ursula Karl say during her State of the Union? # Tariff @KXUKMENTION-26SEP10-TARI <> Will Ursula Karl say "Tax" during the State of the Union on September 10?
! What will Ursula Karl say during her interview? # Tariff @KXUKMENTION-26SEP10-TARI <> Will Ursula Karl say "Tariff" during the State of the Union on September 17?
= Will Lena Ortiz endorse Paul Grady? <> Lena Ortiz endorses Paul Grady?
= Who will Lena Ortiz endorse for Governor? # Paul Grady <> Will Lena Ortiz endorse Paul Grady for governor?
= Will Paul Grady be endorsed by Lena Ortiz? <> Will Lena Ortiz endorse Paul Grady?
! Will Lena Ortiz endorse Paul Grady? <> Will Paul Grady endorse Lena Ortiz?
! Will Paul Grady be endorsed by Lena Ortiz? <> Will Paul Grady endorse Lena Ortiz?
! Will Lena Ortiz endorse Paul Grady? <> Will Lena Ortiz campaign with Paul Grady?
! Who will Lena Ortiz endorse first? # Paul Grady <> Will Lena Ortiz endorse Paul Grady?
= Will Elena Marsh be confirmed as Secretary of Commerce? <> Will the Senate confirm Elena Marsh as Commerce Secretary?
! Will Elena Marsh be nominated as Secretary of Commerce? <> Will the Senate confirm Elena Marsh as Commerce Secretary?
! Will Elena Marsh be confirmed as Secretary of Commerce? <> Will the Senate vote on Elena Marsh as Commerce Secretary?
= Will 52 or more Senators vote for Elena Marsh? # 52 or more <> Will at least 52 senators vote to confirm Elena Marsh?
= How many Senators will vote for Elena Marsh? # Above 51 <> Will 52 or more senators vote to confirm Elena Marsh?
! How many Senators will vote for Elena Marsh? # Above 52 <> Will 52 or more senators vote to confirm Elena Marsh?
! Will 52 Senators vote for Elena Marsh? # 52 <> Will 52 or more senators vote to confirm Elena Marsh?
! Will 52 or more Senators vote for Elena Marsh? <> Will 52 or more Senators vote against Elena Marsh?
! Will every Democratic Senator vote for Elena Marsh? <> Will any Democratic Senator vote to confirm Elena Marsh?
= Will every Democratic Senator vote for Elena Marsh? <> Will every Democratic Senator vote to confirm Elena Marsh?
= Will Joan Pike vote for Elena Marsh? # Joan Pike <> Will Joan Pike vote to confirm Elena Marsh as Secretary of Commerce?
! Will Joan Pike vote for Elena Marsh? # Joan Pike <> Will Joan Pike vote against Elena Marsh as Secretary of Commerce?
= Will Ines Coll win the Best Actress at the 2027 Oscars? <> Oscars 2027: Will Ines Coll win Best Actress?
= Best Actress at the Oscars? # Ines Coll @KXOSCARACTR-27-IC <> Will Ines Coll win Best Actress at the 99th Academy Awards?
! Best Actress nominees at the Oscars? # Ines Coll @KXOSCARNOMACTR-27-IC <> Will Ines Coll win Best Actress at the 99th Academy Awards?
! Best Actress at the Oscars? # Ines Coll @KXOSCARACTR-27-IC <> Will Ines Coll win Best Supporting Actress at the 99th Academy Awards?
! Best Actress at the Oscars? # Ines Coll @KXOSCARACTR-27-IC <> Will Ines Coll win Best Actress at the 98th Academy Awards?
= Will Ines Coll be nominated for Best Actress at the 2027 Oscars? <> Oscar nominations 2027: Best Actress nominees? # Ines Coll
! Will Lando Norris win the Monaco Grand Prix race? @KXF1-26 <> Will Lando Norris win the 2026 F1 Drivers' Championship?
! Will Kai Renner win the MotoGP race? @KXMOTOGP-26 <> Will Kai Renner win the 2026 MotoGP championship?
! Will Kai Renner win the next race? @KXMOTOGP-26 <> Will Kai Renner win the next championship?
! Will Kai Renner win the sprint race? @KXMOTOGP-26 <> Will Kai Renner win the 2026 race?
! Will Kai Renner win pole at the Silverstone race? @KXMOTOGP-26 <> Will Kai Renner win the 2026 Silverstone race?
= Who will win the MotoGP championship? # Kai Renner @KXMOTOGP-26-KR <> Will Kai Renner be the 2026 MotoGP champion?
! Will Kai Renner win the Silverstone race? @KXMOTOGP-26 <> Will Kai Renner finish on the podium at the 2026 Silverstone race?
! Will Rhea Sato win the tournament? @KXRS-26 <> Will Rhea Sato win the match in 2026?
! Will Harlow win the game? @KXH-26 <> Will Harlow win the 2026 series?
= Who will be the Democratic nominee for Senate in Maine? # Dale Fitch @KXSENATEMED-26-DF <> Will Dale Fitch win the 2026 Maine Democratic Senate nomination?
= Will Dale Fitch be the Democratic nominee for the Senate in Maine? @KXSENATEMED-26-DF <> Will Dale Fitch be the Democratic nominee for Senate in Maine in 2026?
! Will Dale Fitch be the Democratic nominee for the Senate in Maine? @KXSENATEMED-26-DF <> Will Dale Fitch win the 2026 Maine Senate election?
! Will Dale Fitch be the Democratic nominee for the Senate in Maine? @KXSENATEMED-26-DF <> Will Dale Fitch be the Democratic nominee for Governor in Maine in 2026?
! Will Dale Fitch be the Democratic nominee for the Senate in Maine? @KXSENATEMED-26-DF <> Will Dale Fitch be the Independent nominee for Senate in Maine in 2026?
! Will Dale Fitch win the Maine Senate Democratic primary? @KXSENATEMED-26-DF <> Will Dale Fitch win the 2026 Maine Senate election?
! Will Dale Fitch win the Maine Senate race according to AP? @KXSENATEME-26-DF <> Will Dale Fitch be certified as winner of the 2026 Maine Senate race?
! Will AP call the Maine Senate race by November 4, 2026? <> Will the Maine Senate race be certified by November 4, 2026?
= Will the Green Party win 10 or more seats in the Latvian parliament? @KXLATVIA-26 <> Will the Green Party win at least 10 seats in the 2026 Latvian parliamentary election?
! Will the Green Party win more than 10 seats in the Latvian parliament? @KXLATVIA-26 <> Will the Green Party win at least 10 seats in the 2026 Latvian parliamentary election?
! Will the Green Party win 10 or more seats in the Latvian parliament? @KXLATVIA-26 <> Will the Green Party lose at least 10 seats in the 2026 Latvian parliamentary election?
! Will the Green Party win the most seats in the Latvian election? @KXLATVIA-26 <> Will the Green Party win the second most seats in the 2026 Latvian election?
= Will Dax Moreno get above 40% of the vote in the Quito mayoral election? @KXQUITO-27 <> Will Dax Moreno receive more than 40% of the vote in the 2027 Quito mayoral election?
! Will Dax Moreno get above 40% of the vote in the Quito mayoral election? @KXQUITO-27 <> Will Dax Moreno receive 40% or more of the vote in the 2027 Quito mayoral election?
! Will Dax Moreno get above 40% of the vote in the Quito mayoral election? @KXQUITO-27 <> Will Dax Moreno win by more than 40% in the 2027 Quito mayoral election?
= Will Spotify hit 800 million users before 2027? <> Will Spotify reach 800 million users by December 31, 2026?
! Will Spotify hit 800 million users before 2027? <> Will Spotify have 800 million users on December 31, 2026?
! Will Spotify hit 800 million users before 2027? <> Will Spotify reach 800 million subscribers by December 31, 2026?
= Will Congress pass the Crypto Clarity Act before 2027? <> Crypto Clarity Act passed by Congress by December 31, 2026?
! Will Congress pass the Crypto Clarity Act before 2027? <> Crypto Clarity Act signed into law by December 31, 2026?
! Will the House pass the Crypto Clarity Act before 2027? <> Will the Senate pass the Crypto Clarity Act by December 31, 2026?
! Will the House pass the Crypto Clarity Act before 2027? <> Will Congress pass the Crypto Clarity Act by December 31, 2026?
= Will the Crypto Clarity Act become law before 2027? <> Crypto Clarity Act becomes law by December 31, 2026?
= Will Israel and Syria sign a peace agreement before Jul 1, 2026? <> Israel-Syria peace deal signed by June 30, 2026?
! Will Israel and Syria sign a peace agreement before Jul 1, 2026? <> Will Israel and Syria announce a peace deal by June 30, 2026?
! Will Israel and Syria sign a peace agreement before Jul 1, 2026? <> Will Israel and Lebanon sign a peace agreement by June 30, 2026?
! Will Israel strike Syria before Jul 1, 2026? <> Will Syria strike Israel by June 30, 2026?
= Will Israel attack Syria before Jul 1, 2026? <> Israel attacks Syria by June 30, 2026?
! Will Israel invade Syria before Jul 1, 2026? <> Israel strikes Syria by June 30, 2026?
= Will Greta Lindh marry Omar Fay before 2027? <> Greta Lindh and Omar Fay married by December 31, 2026?
! Will Greta Lindh marry Omar Fay before 2027? <> Will Greta Lindh and Omar Fay get engaged by December 31, 2026?
! Will Greta Lindh and Omar Fay divorce before 2027? <> Greta Lindh and Omar Fay married by December 31, 2026?
= Will Trump meet with Kim before 2027? <> Will Donald Trump meet Kim by December 31, 2026?
! Will Trump meet Putin before Xi? <> Will Trump meet Xi before Putin?
! Will Trump visit China before 2027? <> Will Xi visit China by December 31, 2026?
! Will Trump speak with Kim before 2027? <> Will Donald Trump meet Kim by December 31, 2026?
= Will Figma IPO before 2027? <> Will Figma go public by December 31, 2026?
! Will Figma file for an IPO before 2027? <> Will Figma IPO by December 31, 2026?
! Will Figma announce an IPO before 2027? <> Will Figma IPO by December 31, 2026?
= Will Ann Rowe announce her candidacy for president before 2027? <> Will Ann Rowe declare her candidacy for President by December 31, 2026?
! Will Ann Rowe announce her candidacy for president before 2027? <> Will Ann Rowe declare her candidacy for Senate by December 31, 2026?
! Will Ann Rowe announce her candidacy for president before 2027? <> Will Ann Rowe form an exploratory committee for president by December 31, 2026?
! Will Ann Rowe drop out of the presidential race before 2027? <> Will Ann Rowe announce a presidential run by December 31, 2026?
= Will Ann Rowe drop out of the presidential race before 2027? <> Will Ann Rowe withdraw from the presidential race by December 31, 2026?
= Will TikTok be banned in the US before 2027? <> Will the US ban TikTok by December 31, 2026?
! Will TikTok be banned in Canada before 2027? <> Will the US ban TikTok by December 31, 2026?
! Will TikTok be unbanned in the US before 2027? <> Will the US ban TikTok by December 31, 2026?
= Will there be a ceasefire between Chad and Sudan before 2027? <> Chad-Sudan ceasefire by December 31, 2026?
! Will there be a ceasefire between Chad and Sudan before 2027? <> Will the ceasefire between Chad and Sudan be broken by December 31, 2026?
! Will the ceasefire between Chad and Sudan end before 2027? <> Will a ceasefire between Chad and Sudan begin by December 31, 2026?
= Will SpaceX land on Mars before 2030? <> SpaceX lands on Mars by December 31, 2029?
! Will SpaceX launch to Mars before 2030? <> SpaceX lands on Mars by December 31, 2029?
! Will SpaceX land a human on Mars before 2030? <> SpaceX lands on Mars by December 31, 2029?
= Will Karol Wirth be the top goalscorer in the Ekstraklasa? @KXEKS-26 <> Karol Wirth top goalscorer of the 2026 Ekstraklasa?
! Will Karol Wirth be the top goalscorer in the Ekstraklasa? @KXEKS-26 <> Karol Wirth top assist provider of the 2026 Ekstraklasa?
! Will Karol Wirth score the first goal? @KXEKS-26 <> Will Karol Wirth score a goal in 2026?
! Will Karol Wirth score the first goal? @KXEKS-26 <> Will Karol Wirth score the last goal in 2026?
= Which company will have the top AI model on Dec 31, 2026? # Mistral <> Will Mistral have the best AI model on December 31, 2026?
! Which company will have the top AI model on Dec 31, 2026? # Mistral <> Will Mistral have the second best AI model on December 31, 2026?
! Which company will have the top AI model on Dec 31, 2026? # Mistral <> Will Mistral have the best AI model on November 30, 2026?
! Will Mistral release a new model or chip before 2027? <> Will Mistral release a new model and chip by December 31, 2026?
! Will Hana Ito or Ken Ito win the Osaka mayoral election? @KXOSA-27 <> Will Hana Ito and Ken Ito win the 2027 Osaka mayoral election?
= Will Starbase become a city before 2027? <> Starbase becomes a city by December 31, 2026?
! Will only Starbase become a city before 2027? <> Starbase becomes a city by December 31, 2026?
! Will Bolivia default on its debt before 2027? <> Will Bolivia restructure its debt by December 31, 2026?
= Will Bolivia default on its debt before 2027? <> Bolivia debt default by December 31, 2026?
= Will Norway join the EU before 2030? <> Norway joins the European Union by December 31, 2029?
! Will Norway join the EU before 2030? <> Will Norway apply to join the EU by December 31, 2029?
! Will Norway join the EU before 2030? <> Will Norway hold a referendum to join the EU by December 31, 2029?
! Will Norway leave the EU before 2030? <> Norway joins the European Union by December 31, 2029?
= Will the Supreme Court rule in favor of Varga before July 2026? <> Will SCOTUS rule in favor of Varga by June 30, 2026?
! Will the Supreme Court rule in favor of Varga before July 2026? <> Will SCOTUS rule against Varga by June 30, 2026?
! Will the Supreme Court hear the Varga case before July 2026? <> Will SCOTUS rule in favor of Varga by June 30, 2026?
= Will Mila Kunz host Saturday Night Live before 2027? <> Will Mila Kunz host SNL by December 31, 2026?
! Will Mila Kunz host Saturday Night Live before 2027? <> Will Mila Kunz be musical guest on SNL by December 31, 2026?
= Will Dorian Pell be traded to the Lakers before 2027? <> Dorian Pell traded to the Lakers by December 31, 2026?
! Will Dorian Pell be traded to the Lakers before 2027? <> Dorian Pell traded from the Lakers by December 31, 2026?
! Will Dorian Pell play for the Lakers before 2027? <> Dorian Pell traded to the Lakers by December 31, 2026?
= Will the album "Glass Hour" by Nova Reyes be #1 on the Billboard 200? <> Will Nova Reyes' "Glass Hour" be number one on the Billboard 200?
! Will "Glass Hour" debut at #1 on the Billboard 200? <> Will "Glass Hour" debut at #2 on the Billboard 200?
! Will "Glass Hour" be #1 on the Billboard Hot 100? <> Will "Glass Hour" be #1 on the Billboard 200?
! Will Kara Lund win the Cedar Prize? <> Will Kara Lund win the Cedar Prize for Fiction?
! Will the Liberals win the most votes in the Oslo election? <> Will the Liberals win the most seats in the Oslo election?
! Will the Liberals win 10 seats in the Latvian election? <> Will the Liberals win 10% in the Latvian election?
! Will MetaMask launch before 2027? <> Will MetaMask launch a token by December 31, 2026?
! Will MetaMask launch a token before 2027? <> Will MetaMask launch an airdrop by December 31, 2026?
! Will Kraken list on Nasdaq before 2027? <> Will Kraken list on NYSE by December 31, 2026?
! Will Nova Bank cut 100 jobs before 2027? <> Will Nova Bank cut more than 100 jobs by December 31, 2026?
! Will the ECB chair resign before 2027? <> Will the ECB chair step down by December 31, 2026?
! Will Ada Quill win two gold medals at the Olympics? <> Will Ada Quill win gold medals at the Olympics?
! Will Ada Quill win at least 2 gold medals? <> Will Ada Quill win at least 2 medals?
! Will Ada Quill win the 100m final? <> Will Ada Quill win the 200m final?
! Will Ada Quill win gold in the women's 100m? <> Will Ada Quill win gold in the men's 100m?
! Will Ada Quill win gold in the 100m? <> Will Ada Quill win silver in the 100m?
! Will Ada Quill make the 100m final? <> Will Ada Quill win the 100m final?
! Will Peter Holm and Ada Quill both testify before Congress before 2027? <> Will Peter Holm or Ada Quill testify before Congress by December 31, 2026?
! Will Peter Holm testify before Congress before 2027? <> Will Peter Holm testify before the Senate by December 31, 2026?
! Will Trump impose tariffs on Peru before 2027? <> Will Peru impose tariffs on the US by December 31, 2026?
! Will Trump impose 25% tariffs on Peru before 2027? <> Will Trump impose tariffs on Peru by December 31, 2026?
! Will Trump impose tariffs on Peru before 2027? <> Will Trump remove tariffs on Peru by December 31, 2026?
! Will Trump lower tariffs on Peru before 2027? <> Will Trump raise tariffs on Peru by December 31, 2026?
! Will Russia capture Sumy before 2027? <> Will Ukraine capture Sumy by December 31, 2026?
! Will Russia capture Sumy before 2027? <> Will Russia capture all of Sumy by December 31, 2026?
! Will Russia enter Sumy before 2027? <> Will Russia capture Sumy by December 31, 2026?
! Will Iran withdraw from the NPT before 2027? <> Will Iran announce withdrawal from the NPT by December 31, 2026?
! Will Iran withdraw from the NPT before 2027? <> Will Iran violate the NPT by December 31, 2026?
! Will Boris Tal be extradited to the US before 2027? <> Will Boris Tal be extradited from the US by December 31, 2026?
! Will Boris Tal be sentenced to prison before 2027? <> Will Boris Tal be released from prison by December 31, 2026?
! Will Boris Tal be sentenced to more than 10 years before 2027? <> Will Boris Tal be sentenced to 10 or more years by December 31, 2026?
! Will a Republican win the Ohio Senate race? <> Will a Democrat win the Ohio Senate race?
! Will a Republican win the Ohio Senate race? <> Will a Republican win the Ohio governor race?
! Will Democrats win the House and Senate? <> Will Democrats win the House or Senate?
! Will Democrats win the House but lose the Senate? <> Will Democrats win the House and Senate?
! Will Democrats win the House? <> Will Republicans lose the House?
! Will Democrats win the House popular vote? <> Will Democrats win the House?
! Will Noor Haddad win the popular vote? <> Will Noor Haddad win the election?
! Will Noor Haddad win the recount in Lima? <> Will Noor Haddad win Lima?
! Will Noor Haddad be elected to the Senate? <> Will Noor Haddad be elected leader of the Senate?
! Will Noor Haddad be the next president? <> Will Noor Haddad be the next president of the Senate?
! Will Noor Haddad be the nominee for vice president? <> Will Noor Haddad be the nominee for president?
! Will Noor Haddad be on the ballot in Lima? <> Will Noor Haddad be on the ballot in Quito?
! Will Noor Haddad win reelection? <> Will Noor Haddad win the election?
! Will Noor Haddad advance to the runoff? <> Will Noor Haddad win the runoff?
! Will Noor Haddad qualify for the debate? <> Will Noor Haddad win the debate?
! Will Noor Haddad debate Sam Ruiz before 2027? <> Will Noor Haddad beat Sam Ruiz by December 31, 2026?
! Will Noor Haddad poll ahead of Sam Ruiz on June 1, 2026? <> Will Sam Ruiz poll ahead of Noor Haddad on June 1, 2026?
! Will Mira get more votes than Jana in the final? <> Will Jana get more votes than Mira in the final?
! Will Mira finish above Jana in the final? <> Will Jana finish above Mira in the final?
! Will Mira leave Apex for Boltz before 2027? <> Will Mira leave Boltz for Apex by December 31, 2026?
! Will Apex sue Boltz before 2027? <> Will Apex be sued by Boltz by December 31, 2026?
! Will Apex overtake Boltz in market value before 2027? <> Will Boltz overtake Apex in market value by December 31, 2026?
! Will Apex partner with Boltz to buy Corex before 2027? <> Will Apex buy Boltz with Corex by December 31, 2026?
! Will Apex merge with Boltz before 2027? <> Will Apex acquire Boltz by December 31, 2026?
! Will Apex sell Boltz before 2027? <> Will Apex buy Boltz by December 31, 2026?
! Will Apex stop selling Boltz before 2027? <> Will Apex start selling Boltz by December 31, 2026?
! Will GPT-6 be released before 2027? <> Will GPT-6 mini be released by December 31, 2026?
! Will GPT-6 be released before 2027? <> Will GPT-5 be released by December 31, 2026?
! Will GPT-6 be released before Gemini 4? <> Will Gemini 4 be released before GPT-6?
! Will the Glass Hour movie be released before 2027? <> Will the Glass Hour trailer be released by December 31, 2026?
! Will the Epstein files be released before 2027? <> Will the Epstein client list be released by December 31, 2026?
! Will Season 3 of Glass Hour be released before 2027? <> Will Season 2 of Glass Hour be released by December 31, 2026?
! Will Glass Hour gross more than $100 million domestically? <> Will Glass Hour gross more than $100 million worldwide?
! Will Glass Hour open above $100 million? <> Will Glass Hour gross above $100 million?
! How many tweets will Orla post this week? # 100-124 <> Will Orla post 125-149 tweets this week?
! Will Orla post about Dex on X before 2027? <> Will Dex post about Orla on X by December 31, 2026?
! Will Orla say "Dex" before 2027? <> Will Dex say "Orla" by December 31, 2026?
! What will Orla say during her speech? # Dex <> Will Orla say "Dex" during the debate?
! What will Orla say during her speech? # Dex and Pex <> Will Orla say "Dex" or "Pex" during her speech?
! Will Orla be first lady before 2029? <> Will Orla be the first lady to land on Mars before 2029?
! Will Orla be confirmed by more than 60 votes? <> Will Orla be confirmed by more than 50 votes?
! Will Orla be confirmed to the Supreme Court? <> Will Orla be nominated to the Supreme Court?
! Will Orla Byrne be endorsed by Trump for governor? <> Will Orla Byrne endorse Trump for governor?
! Will any Supreme Court justice retire before 2027? <> Will two Supreme Court justices retire by December 31, 2026?
! Will Justice Byrne retire before 2027? <> Will Justice Byrne die by December 31, 2026?
! Will the US enter a recession in 2026? <> Will the US exit a recession in 2026?
! Will inflation in Peru be above 5% in 2026? <> Will inflation in Peru be above 5% in June 2026?
! Will unemployment hit 5% before 2027? <> Will unemployment be above 5% in December 2026?
! Will NASA land on the Moon before 2029? <> Will NASA land humans on the Moon by December 31, 2028?
! Will Starship reach orbit before 2027? <> Will Starship reach Mars by December 31, 2026?
! Will a hurricane hit Florida in 2026? <> Will a major hurricane hit Florida in 2026?
! Will a hurricane form in 2026? <> Will a hurricane make landfall in 2026?
! Will the government shut down before 2027? <> Will the government shutdown end by December 31, 2026?
! How long will the government shutdown last? # More than 30 days <> Will the government shutdown last more than 40 days?
! Will Kai Renner win the opening race? <> Will Kai Renner win the closing race?
~ Will Kai Renner win the title race? <> Will Kai Renner lose the title race?
! Will Kai Renner be signed by Ferrari before 2027? <> Will Kai Renner be dropped by Ferrari by December 31, 2026?
! Will Kai Renner win MVP? <> Will Kai Renner win Finals MVP?
! Will Kai Renner win Rookie of the Year? <> Will Kai Renner win Driver of the Year?
! Will Kai Renner be drafted in the first round? <> Will Kai Renner be drafted first overall?
! Will Harlow make the playoffs? <> Will Harlow win the playoffs?
! Will Harlow win the division? <> Will Harlow win the conference?
! Will Harlow win over 50 games? <> Will Harlow win 50 or more games?
! Will Israel and Lebanon normalize relations before 2027? <> Will Israel and Syria normalize relations by December 31, 2026?
! Will Peru leave the ICC before 2027? <> Will Peru join the ICC by December 31, 2026?
! Will Peru vote to leave the ICC before 2027? <> Will Peru leave the ICC by December 31, 2026?
! Will Peru's president visit Chile before 2027? <> Will Chile's president visit Peru by December 31, 2026?
! Will Rosa Vidal be president of Peru on December 31, 2026? <> Will Rosa Vidal be president of Peru by December 31, 2026?
! Will Rosa Vidal leave office before 2027? <> Will Rosa Vidal leave Peru by December 31, 2026?
! Will Rosa Vidal be arrested before 2027? <> Will Rosa Vidal be acquitted by December 31, 2026?
! Will Rosa Vidal run as an independent? <> Will Rosa Vidal run as a Democrat?
! Will Rosa Vidal be out as finance minister before 2027? <> Will Rosa Vidal be out as foreign minister by December 31, 2026?
= Will Rosa Vidal be arrested before 2027? <> Rosa Vidal arrested by December 31, 2026?
= Who will Rosa Vidal nominate as finance minister? # Luis Prado <> Will Rosa Vidal nominate Luis Prado as Finance Minister?
= Will Apex and Boltz reach a merger agreement before 2027? <> Apex-Boltz merger deal reached by December 31, 2026?
= Will the movie Glass Hour be released before Jan 1, 2027? <> Will the film "Glass Hour" come out by December 31, 2026?
! Will Artemis III launch before 2027? <> Will Artemis II launch before 2027?
! Will the drug be moved to Schedule III in 2026? <> Will the drug be moved to Schedule II in 2026?
! Will King Charles III abdicate before 2027? <> Will King Charles II abdicate before 2027?
! EUR/USD above 1.20 on December 31, 2026? <> USD/EUR above 1.20 on December 31, 2026?
! Will the US tariff rate on China be above 40% on December 31, 2026? <> Will China's tariff rate on the US be above 40% on December 31, 2026?
! Will US exports to Peru be above $10 billion in November 2026? <> Will Peru exports to US be above $10 billion in November 2026?
! Will Orla Byrne win the first round of the Peru election in 2026? <> Will Orla Byrne win the Peru election in the first round in 2026?
! Will Boris Tal win round 1? @KXTAL-26 <> Will Boris Tal win in round 1?
! Will Kara Lund's song debut at #1 on the Billboard Hot 100? @KXLUND-26 <> Will Kara Lund's song peak at #1 on the Billboard Hot 100?
! Harlow opening weekend above $150 million? <> Harlow opening weekend worldwide above $150 million?
! Top song on US Spotify in 2026? # Harlow <> Top song on Spotify in 2026? # Harlow
! Balance of power in 2026? # D House, R Senate <> Balance of power in 2026? # D Senate, R House
! Republican Senate, Democratic House in 2026? <> Democratic Senate, Republican House in 2026?
= Will Peru withdraw from the ICC before 2027? <> Peru withdraws from the ICC by December 31, 2026?
= Will Starship reach Mars before 2030? <> Starship reaches Mars by December 31, 2029?
= Which countries will recognize Kosovo before 2027? # Peru <> Will Peru recognize Kosovo by December 31, 2026?
= Which company will acquire Boltz before 2027? # Apex <> Will Apex buy Boltz by December 31, 2026?
= Will Harlow Labs publicly announce its IPO before 2027? <> Harlow Labs publicly announces IPO by December 31, 2026?
= Will Boris Tal be found guilty before 2027? <> Boris Tal convicted by December 31, 2026?
= Who will say "recession" before July 2026? # Orla Byrne <> Will Orla Byrne mention recession by June 30, 2026?
= Will Kara Lund win the Cedar Prize? # Kara Lund @KXCEDAR-26-KL <> Cedar Prize 2026 winner: Kara Lund?
= Will Rosa Vidal be elected president of Peru in 2026? <> Will Rosa Vidal win the 2026 Peruvian presidential election?
= Will Rosa Vidal finish second in the Peruvian presidential election? @KXPERU-26 <> Will Rosa Vidal get the second most votes in the 2026 Peruvian presidential election?
= Will turnout in the Peruvian election be above 70%? @KXPERU-26 <> Will voter turnout be more than 70% in the 2026 Peruvian election?
`

export interface HeldOut {
  kind: 'same' | 'inverse' | 'other'
  text: string
  a: Side
  b: Side
}

interface Side {
  title: string
  subtitle: string
  id: string
}

const kinds = { '=': 'same', '~': 'inverse', '!': 'other' } as const

function side(text: string, id: string): Side {
  const [, title = '', subtitle = '', own = id] = /^(.*?)(?: # (.*?))?(?: @(\S+))?$/.exec(text.trim()) ?? []
  return { title, subtitle, id: own }
}

export const heldOutOf = (lines: string): HeldOut[] =>
  lines
    .trim()
    .split('\n')
    .map((line, at) => {
      const [a = '', b = ''] = line.slice(2).split(' <> ')
      return { kind: kinds[line[0] as '='], text: line, a: side(a, `K${at}X`), b: side(b, `p${at}`) }
    })

export const heldOut: readonly HeldOut[] = heldOutOf(table)
