autocmd BufNewFile,BufRead *.round setfiletype round
