#!/bin/bash
# Makes `certificates/`: an authority of this class alone, and a certificate that it has signed.
# Scheduler, workers and coordinator each need ca.pem, certificate.pem and key.pem, and nobody else.
set -euo pipefail
umask 077
mkdir certificates
cd certificates

openssl req -x509 -newkey rsa:3072 -nodes -days 180 -subj "/CN=grader authority" \
  -keyout authority.key -out ca.pem
openssl req -newkey rsa:3072 -nodes -subj "/CN=grader" -keyout key.pem -out request.pem
openssl x509 -req -days 180 -in request.pem -CA ca.pem -CAkey authority.key -CAcreateserial \
  -out certificate.pem
rm request.pem authority.key
