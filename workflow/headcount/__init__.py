"""Headcount: how many of your N agents count?"""
