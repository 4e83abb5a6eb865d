/**
 * The perl program behind level `subreaper`: parent of the program, and adoptive parent of every process that descends from it.
 *
 * perl without modules, because it is on nearly every Linux machine and starts in about 5 ms. Two processes run it: the *helper* starts
 * the program, keeps the deadline and ends the tree; its parent, the *guardian*, waits for it, continues it when it was stopped, and ends the tree
 * when it was killed.
 * Both are subreapers (`prctl(2)`, PR_SET_CHILD_SUBREAPER), so whatever is orphaned below becomes their child, whatever session it made.
 *
 * fd 3 is a socket to the runner. In: the launch as `<byte length>\n` and NUL-ended fields (deadline, grace and settle in ms, cwd, number of
 * arguments, arguments, `NAME=value`s), then `T` (stop) and `K` (kill); its end is the runner's death. Out, one line each:
 * `P pid` started · `X errno step` not started · `D` deadline · `E wait-status ms asked` the program's own exit, and whether it had been
 * asked to end by T or K · `S pid hex-of-command` survivor · `R` the helper was killed · `U` KILL did not help · `Z` nothing is left.
 */

/** System call numbers by `process.arch`; perl has no names for them. */
export const systemCalls: Readonly<Record<string, { prctl: number; setsid: number; clockGettime: number }>> = {
  x64: { prctl: 157, setsid: 112, clockGettime: 228 },
  arm64: { prctl: 167, setsid: 157, clockGettime: 113 },
}

/** Exits 0 where this perl may become a subreaper. Argument: the number of `prctl`. */
export const probeProgram = 'exit(syscall(0 + shift, 36, 1, 0, 0, 0) == 0 ? 0 : 1)'

/** Arguments: the numbers of `prctl`, `setsid`, `clock_gettime`. */
export const subreaperProgram = String.raw`
my ($prctl, $setsid, $clock) = map { $_ + 0 } @ARGV;
$0 = 'loader-smoke-guardian';
open(my $control, '+<&=', 3) or exit 70;
$SIG{$_} = 'IGNORE' for qw(INT HUP TERM QUIT PIPE USR1 USR2);

sub now { my $t = pack('qq', 0, 0); syscall($clock, 1, $t); my ($s, $n) = unpack('qq', $t); $s * 1000 + $n / 1e6 }
sub say_line { syswrite($control, "$_[0]\n") }
sub nap { select(undef, undef, undef, $_[0]) }
sub slurp { open(my $file, '<', $_[0]) or return ''; local $/; my $text = <$file>; defined $text ? $text : '' }
sub detach { open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null') }

sub read_launch {
  my $input = '';
  my $length;
  for (;;) {
    if (!defined $length && $input =~ s/^(\d+)\n//) { $length = $1 }
    return split(/\0/, $input, -1) if defined $length && length($input) >= $length;
    sysread($control, $input, defined $length ? $length - length($input) : 1, length($input)) or exit 0;
  }
}

# Direct children. Without /proc (or its children file) every pid made since our start is asked for: waitpid tells ours from others'.
sub children {
  my $file = "/proc/$$/task/$$/children";
  return split(' ', slurp($file)) if -e $file;
  my $last = fork();
  exit 0 if defined $last && $last == 0;
  return () unless defined $last;
  waitpid($last, 0);
  my @range = $last > $$ ? ($$ + 1 .. $last) : (2 .. $last, $$ + 1 .. 4194304);
  grep { $_ != $last && kill(0, $_) && waitpid($_, 1) == 0 } @range;
}

sub descendants {
  my @found = my @next = children();
  while (defined(my $pid = shift @next)) {
    opendir(my $tasks, "/proc/$pid/task") or next;
    my @below = map { split(' ', slurp("/proc/$pid/task/$_/children")) } grep { /^\d/ } readdir($tasks);
    push @found, @below;
    push @next, @below;
  }
  @found;
}

sub name_survivors {
  my $named = 0;
  for my $pid (descendants()) {
    next if slurp("/proc/$pid/stat") =~ /\) [ZX]/;
    my $command = slurp("/proc/$pid/cmdline");
    $command =~ tr/\0/ /;
    $command =~ s/ $//;
    say_line("S $pid " . unpack('H*', substr($command, 0, 400)));
    last if ++$named == 64;
  }
}

# Runs in the guardian when the helper is gone without having finished.
sub take_over {
  say_line('R');
  my $give_up = now() + 5000;
  for (;;) {
    my $pid;
    while (($pid = waitpid(-1, 1)) > 0) { }
    last if $pid == -1;
    if (now() > $give_up) { say_line('U'); exit 1 }
    kill('KILL', children());
    nap(0.001);
  }
  say_line('Z');
  exit 1;
}

my ($deadline_ms, $grace_ms, $settle_ms, $cwd, $argc, @rest) = read_launch();
pop @rest;
my @argv = splice(@rest, 0, $argc);

syscall($prctl, 36, 1, 0, 0, 0) == 0 or do { say_line('X ' . ($! + 0) . ' prctl'); exit 1 };
my $helper = fork();
defined $helper or do { say_line('X ' . ($! + 0) . ' fork'); exit 1 };
if ($helper) {
  detach();
  @argv = @rest = ();
  for (;;) {
    my $pid = waitpid(-1, 2);
    next if $pid != $helper && $pid != -1;
    # 2 is WUNTRACED: it may only have been stopped, which $? does not tell. It is to go on.
    if ($pid == $helper && kill(0, $helper)) { kill('CONT', $helper); next }
    take_over() if $? & 127;
    exit 0;
  }
}

$0 = 'loader-smoke-helper';
syscall($prctl, 36, 1, 0, 0, 0);
pipe(my $failure, my $failed);
my $started = now();
my $app = fork();
defined $app or do { say_line('X ' . ($! + 0) . ' fork'); exit 0 };
if (!$app) {
  syscall($setsid);
  close($control);
  $SIG{$_} = 'DEFAULT' for qw(INT HUP TERM QUIT PIPE USR1 USR2);
  my $step = 'cwd';
  if (chdir($cwd)) {
    $step = 'exec';
    %ENV = map { /^([^=]+)=(.*)$/s } @rest;
    exec { $argv[0] } @argv;
  }
  syswrite($failed, ($! + 0) . " $step");
  kill('KILL', $$);
}
detach();
close($failed);
@rest = ();
if (sysread($failure, my $reason, 64)) { waitpid($app, 0); say_line("X $reason"); exit 0 }
close($failure);
say_line("P $app");
$SIG{CHLD} = sub { };

my ($status, $stopping, $killing, $named, $kill_at, $settled_at, $give_up);
my $listening = 1;

sub stop {
  my ($grace) = @_;
  if (defined $status || $grace == 0) { $killing = 1 }
  return if $stopping || $killing;
  $stopping = 1;
  $kill_at = now() + $grace;
  kill('TERM', -$app);
  kill('CONT', -$app);
}

for (;;) {
  my $pid;
  while (($pid = waitpid(-1, 1)) > 0) {
    next if $pid != $app;
    $status = $?;
    $settled_at = now() + $settle_ms;
    say_line("E $status " . int(now() - $started) . ' ' . ($stopping || $killing ? 1 : 0));
  }
  if ($pid == -1) { say_line('Z'); exit 0 }

  my $now = now();
  if ($deadline_ms && !defined $status && !$stopping && $now >= $started + $deadline_ms) { say_line('D'); stop($grace_ms) }
  if ($stopping && $now >= $kill_at) { $killing = 1 }
  if (defined $status && ($stopping ? !kill(0, -$app) : $now >= $settled_at)) { $killing = 1 }

  my $wait = 0.05;
  if ($killing) {
    $give_up ||= $now + 5000;
    if ($now > $give_up) { name_survivors() unless $named; say_line('U'); exit 0 }
    if (!defined $status) { kill('KILL', -$app); kill('KILL', $app) }
    else { name_survivors() unless $named++; kill('KILL', children()) }
    $wait = 0.001;
  } else {
    for my $at ($stopping ? $kill_at : $deadline_ms && !defined $status ? $started + $deadline_ms : (), defined $status ? $settled_at : ()) {
      $wait = ($at - $now) / 1000 if $at - $now < $wait * 1000;
    }
    $wait = 0.005 if $stopping && defined $status && $wait > 0.005;
    $wait = 0 if $wait < 0;
  }
  my $ready = '';
  vec($ready, 3, 1) = 1 if $listening;
  next unless select($ready, undef, undef, $wait) > 0;
  my $got = sysread($control, my $orders, 64);
  if ($got) { $orders =~ /K/ ? ($killing = 1) : stop($grace_ms) }
  elsif (defined $got || $! + 0 != 4) { $listening = 0; $grace_ms = 500 if $grace_ms > 500; $stopping && $kill_at > now() + 500 and $kill_at = now() + 500; stop($grace_ms) }
}
`
