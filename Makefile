# Go alone builds and tests sgppl: go test ./...

.PHONY: clients
# What the tests of the clients use, where it can be installed; then these tests.
clients:
	clients/install.sh all
	go test ./clients/...
