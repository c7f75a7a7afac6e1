" Vim syntax of Baize round scripts, made by `baize generate editors`.
if exists("b:current_syntax")
  finish
endif
syntax iskeyword @,48-57,_,-
syntax match roundArea /\%(^\|\s\)\zs\%(jackpot\|dealer\|board\|bonus\|river\|ante\|flop\|turn\|bet\)\ze\%(\s\|$\)/
syntax match roundRole /\%(^\|\s\)\zs\%(pit-supervisor\|shift-manager\|pit-manager\|dealer\)\ze\%(\s\|$\)/
syntax match roundKind /\%(^\|\s\)\zs\%(looked-at-second-hand\|permit-withdrawal\|simultaneous-draw\|wrong-dealer-hand\|wrong-player-hand\|jackpot-restored\|confidentiality\|not-intentional\|multiple-hands\|shoe-exhausted\|dealing-error\|exposed-cards\|jackpot-fault\|power-failure\|face-up-card\|foreign-card\|close-table\|intentional\|missed-burn\|wrong-board\|card-count\|first-card\|no-jackpot\|unshuffled\|continue\|restrict\|bar-box\|misdeal\|other\|lift\|stop\|void\|bar\)\ze\%(\s\|$\)/
syntax match roundWord /\%(^\|\s\)\zs\%(unnoticed\|because\|citing\|by\)\ze\%(\s\|$\)/
syntax match roundFact /\<\(reconstructable\|card-by-card\|intentional\|dealing\|device\|player\|boxes\|count\|moves\|round\|scope\|shift\|whose\|card\|seen\)\ze=/
syntax match roundNumber /[+-]\?\<[0-9][0-9,.]*%\?/
syntax match roundCard /\<\(10\|[2-9TJQKA]\)[cdhs]\>/
syntax match roundVerb /^\s*\<\(interpret\|standing\|withdraw\|dealing\|decline\|jackpot\|absent\|decide\|expect\|option\|report\|reveal\|settle\|boxes\|check\|close\|limit\|table\|burn\|deal\|fold\|game\|look\|open\|show\|bet\)\>/
syntax match roundComment /#.*$/
highlight default link roundComment Comment
highlight default link roundVerb Statement
highlight default link roundCard Constant
highlight default link roundNumber Number
highlight default link roundArea Type
highlight default link roundRole Identifier
highlight default link roundKind Special
highlight default link roundFact Identifier
highlight default link roundWord Operator
let b:current_syntax = "round"
