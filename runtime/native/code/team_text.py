"""The text of the functions by which a team of threads shares the parts of a kernel: `lead` and `follow`.

What a team does stands in a table of words (`TeamWord`). A ticket holds the number of the task in its upper half and
how many of its parts are left in its lower one. Whoever takes a part lowers the ticket, by one exchange that fails if
anything has changed since it was read. A table is written for the next task when no part of the last one is left; so a
thread that comes late has read what belongs to the part that it takes.
"""

from __future__ import annotations

import platform
from enum import IntEnum
from typing import Final


class TeamWord(IntEnum):
    """The places of words in the table of a team; what different threads write lies in different lines of the cache."""

    TICKET = 0
    DONE = 16
    """How many parts of the task are done."""
    ENDS = 32
    """Whether followers are to return."""
    FUNCTION = 33
    POINTERS = 34
    LAYOUT = 35
    EXTENT = 36
    PARTS = 37
    NUMBERS = 38
    SCRATCH = 39
    """Bytes from what is given to one thread as `numbers` to what is given to the next one."""
    THREADS = 40
    """How many threads take part, the leading one included."""
    ASLEEP = 48
    """How many threads sleep."""
    MUTEX = 56
    CONDITION = 72


WORDS: Final = 96

SLEEPING: Final = (
    *("pthread_mutex_lock", "pthread_mutex_unlock"),
    *("pthread_cond_wait", "pthread_cond_broadcast"),
)
"""Functions of C's library that the text calls."""

_PAUSES: Final = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"),
}
"""By processors: how to wait for a moment in a loop, and what that is declared as."""


def team_text() -> str:
    """The functions `lead`, which hands out a task, works on it and returns whether all of it is done after so many
    looks; `wait_for_all`, which looks again; `wake`; and `follow`, which works on tasks, and where there was none for
    so many looks sleeps or returns.
    """
    pause, declared = _PAUSES.get(platform.machine(), ("", ""))
    return _TEXT.format(pause=pause, **{each.name.lower(): each for each in TeamWord}) + declared


_TEXT: Final = """
define internal i64 @word(ptr %team, i64 %place) alwaysinline nounwind {{
  %at = getelementptr i64, ptr %team, i64 %place
  %word = load atomic i64, ptr %at monotonic, align 8
  ret i64 %word
}}

define internal i1 @work(ptr %team, i64 %thread) nounwind {{
entry:
  %done = getelementptr i64, ptr %team, i64 {done}
  br label %look
look:
  %some = phi i1 [ false, %entry ], [ %some, %missed ], [ true, %run ]
  %ticket = load atomic i64, ptr %team acquire, align 8
  %left = and i64 %ticket, 4294967295
  %function = call i64 @word(ptr %team, i64 {function})
  %pointers = call i64 @word(ptr %team, i64 {pointers})
  %layout = call i64 @word(ptr %team, i64 {layout})
  %extent = call i64 @word(ptr %team, i64 {extent})
  %parts = call i64 @word(ptr %team, i64 {parts})
  %numbers = call i64 @word(ptr %team, i64 {numbers})
  %scratch = call i64 @word(ptr %team, i64 {scratch})
  %threads = call i64 @word(ptr %team, i64 {threads})
  %is_left = icmp ne i64 %left, 0
  %is_asked = icmp slt i64 %thread, %threads
  %may = and i1 %is_left, %is_asked
  br i1 %may, label %take, label %over
take:
  %moved = sub i64 %ticket, 1
  %outcome = cmpxchg ptr %team, i64 %ticket, i64 %moved acq_rel acquire, align 8
  %taken = extractvalue {{ i64, i1 }} %outcome, 1
  br i1 %taken, label %run, label %missed
missed:
  br label %look
run:
  %part = sub i64 %parts, %left
  %first = mul i64 %extent, %part
  %begin = sdiv i64 %first, %parts
  %last = add i64 %first, %extent
  %end = sdiv i64 %last, %parts
  %apart = mul i64 %scratch, %thread
  %own = add i64 %numbers, %apart
  %called = inttoptr i64 %function to ptr
  %given = inttoptr i64 %pointers to ptr
  %told = inttoptr i64 %layout to ptr
  %memory = inttoptr i64 %own to ptr
  call void %called(ptr %given, ptr %told, i64 %begin, i64 %end, ptr %memory)
  %before = atomicrmw add ptr %done, i64 1 acq_rel, align 8
  br label %look
over:
  ret i1 %some
}}

define i64 @wait_for_all(ptr %team, i64 %looks) nounwind {{
entry:
  %done = getelementptr i64, ptr %team, i64 {done}
  %parts = call i64 @word(ptr %team, i64 {parts})
  br label %look
look:
  %looked = phi i64 [ 0, %entry ], [ %looked1, %again ]
  %found = load atomic i64, ptr %done acquire, align 8
  %is_done = icmp eq i64 %found, %parts
  br i1 %is_done, label %over, label %more
more:
  %is_late = icmp sge i64 %looked, %looks
  br i1 %is_late, label %over, label %again
again:
  {pause}
  %looked1 = add i64 %looked, 1
  br label %look
over:
  %result = zext i1 %is_done to i64
  ret i64 %result
}}

define i64 @lead(ptr %team, i64 %looks) nounwind {{
  %done = getelementptr i64, ptr %team, i64 {done}
  store atomic i64 0, ptr %done monotonic, align 8
  %ticket = load atomic i64, ptr %team monotonic, align 8
  %task = and i64 %ticket, -4294967296
  %next = add i64 %task, 4294967296
  %parts = call i64 @word(ptr %team, i64 {parts})
  %full = add i64 %next, %parts
  store atomic i64 %full, ptr %team seq_cst, align 8
  call void @wake(ptr %team)
  %some = call i1 @work(ptr %team, i64 0)
  %result = call i64 @wait_for_all(ptr %team, i64 %looks)
  ret i64 %result
}}

define void @wake(ptr %team) nounwind {{
  %asleep = getelementptr i64, ptr %team, i64 {asleep}
  %mutex = getelementptr i64, ptr %team, i64 {mutex}
  %condition = getelementptr i64, ptr %team, i64 {condition}
  %sleepers = load atomic i64, ptr %asleep seq_cst, align 8
  %some = icmp ne i64 %sleepers, 0
  br i1 %some, label %call, label %over
call:
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  %called = call i32 @pthread_cond_broadcast(ptr %condition)
  %free = call i32 @pthread_mutex_unlock(ptr %mutex)
  br label %over
over:
  ret void
}}

define internal void @sleep(ptr %team) nounwind {{
entry:
  %asleep = getelementptr i64, ptr %team, i64 {asleep}
  %mutex = getelementptr i64, ptr %team, i64 {mutex}
  %condition = getelementptr i64, ptr %team, i64 {condition}
  %locked = call i32 @pthread_mutex_lock(ptr %mutex)
  %before = atomicrmw add ptr %asleep, i64 1 seq_cst, align 8
  br label %look
look:
  %ticket = load atomic i64, ptr %team seq_cst, align 8
  %left = and i64 %ticket, 4294967295
  %is_idle = icmp eq i64 %left, 0
  %ends = call i64 @word(ptr %team, i64 {ends})
  %goes_on = icmp eq i64 %ends, 0
  %stays = and i1 %is_idle, %goes_on
  br i1 %stays, label %rest, label %over
rest:
  %woken = call i32 @pthread_cond_wait(ptr %condition, ptr %mutex)
  br label %look
over:
  %after = atomicrmw sub ptr %asleep, i64 1 seq_cst, align 8
  %free = call i32 @pthread_mutex_unlock(ptr %mutex)
  ret void
}}

define void @follow(ptr %team, i64 %thread, i64 %looks, i64 %sleeps) nounwind {{
entry:
  br label %look
look:
  %looked = phi i64 [ 0, %entry ], [ %counted, %turn ], [ 0, %rest ]
  %ends = call i64 @word(ptr %team, i64 {ends})
  %goes_on = icmp eq i64 %ends, 0
  br i1 %goes_on, label %check, label %over
check:
  %is_early = icmp slt i64 %looked, %looks
  br i1 %is_early, label %turn, label %late
turn:
  %some = call i1 @work(ptr %team, i64 %thread)
  {pause}
  %looked1 = add i64 %looked, 1
  %counted = select i1 %some, i64 0, i64 %looked1
  br label %look
late:
  %may_sleep = icmp ne i64 %sleeps, 0
  br i1 %may_sleep, label %rest, label %over
rest:
  call void @sleep(ptr %team)
  br label %look
over:
  ret void
}}

declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
"""
