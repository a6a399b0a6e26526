module plantstore

go 1.22
