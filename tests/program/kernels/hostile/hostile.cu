// Doubles x into y, unless what it tries succeeds: the C library's functions, by hand.
extern "C" {
int open(const char *, int, ...);
int close(int);
int socket(int, int, int);
int kill(int, int);
int prctl(int, ...);
int fork();
int setsid();
int getpid();
unsigned sleep(unsigned);
void _exit(int);
char *getenv(const char *);
int atoi(const char *);
int ftruncate(int, long);
void *mmap(void *, unsigned long, int, int, int, long);
void (*signal(int, void (*)(int)))(int);
int snprintf(char *, unsigned long, const char *, ...);
}

enum { READ = 0, WRITE = 1, CREATE = 0100, APPEND = 02000, UNIX = 1, INTERNET = 2, STREAM = 1, SET_NAME = 15,
       GET_NO_NEW_PRIVS = 39, FILE_SIZE = 25, TERMINATE = 15, PROCESSES = 3000 };

static int opens(const char *name, int flags, const char *folder = getenv("HOSTILE_FOLDER"))
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, flags, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static int grows_file()
{
    char path[512];
    snprintf(path, sizeof path, "%s/large", getenv("TMPDIR"));
    signal(FILE_SIZE, (void (*)(int))1);
    int file = open(path, WRITE | CREATE, 0600);
    return file < 0 || ftruncate(file, 5L << 30) == 0;
}

// A daemon: in a session of its own, without a living parent.
static void outlive()
{
    static int done;
    if (!done++ && fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(TERMINATE, (void (*)(int))1);
            prctl(SET_NAME, getenv("HOSTILE_NAME"));
            sleep(600);
        }
        _exit(0);
    }
}

static int starts_many()
{
    static int started;
    while (started < PROCESSES) {
        int child = fork();
        if (child == 0) {
            prctl(SET_NAME, getenv("HOSTILE_NAME"));
            sleep(600);
            _exit(0);
        }
        if (child < 0)
            return 0;
        started++;
    }
    return 1;
}

// Until it gets no more: 16 MiB at a time, each page of which it touches.
static int grows()
{
    enum { STEP = 16 << 20, PAGE = 4096 };
    for (;;) {
        char *more = (char *)mmap(0, STEP, 3, 0x22, -1, 0);
        if (more == (char *)-1)
            return 0;
        for (int i = 0; i < STEP; i += PAGE)
            more[i] = 1;
    }
}

static void stay()
{
    signal(TERMINATE, (void (*)(int))1);
    outlive();
    prctl(SET_NAME, getenv("HOSTILE_NAME"));
    opens("running", WRITE | CREATE);
    for (volatile int turn = 0;; turn = 1 - turn)
        ;
}

static int succeeds()
{
#if KIND_write
    return opens("written", WRITE | CREATE);
#elif KIND_append
    return opens("secret", WRITE | APPEND);
#elif KIND_read || KIND_secret
    return opens("secret", READ);
#elif KIND_connect
    return socket(INTERNET, STREAM, 0) >= 0;
#elif KIND_local
    return socket(UNIX, STREAM, 0) >= 0;
#elif KIND_signal
    return kill(atoi(getenv("HOSTILE_PROCESS")), 0) == 0;
#elif KIND_privilege
    return prctl(GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
#elif KIND_memory
    return mmap(0, 40UL << 30, 3, 0x4022, -1, 0) != (void *)-1;
#elif KIND_file
    return grows_file();
#elif KIND_outlive
    outlive();
    return 0;
#elif KIND_plant
    return opens("planted", WRITE | CREATE, getenv("HOSTILE_CACHE"));
#elif KIND_forge
    return opens(".state", WRITE, getenv("HOSTILE_CACHE"));
#elif KIND_processes
    return starts_many();
#elif KIND_grow
    return grows();
#elif KIND_stubborn
    stay();
    return 0;
#else
    return 0;
#endif
}

__global__ void twice(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float factor = i == 0 && succeeds() ? 3 : 2;
    if (i < n)
        y[i] = factor * x[i];
}
