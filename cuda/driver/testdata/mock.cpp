// NVIDIA's driver and NVRTC as far as package driver calls them, on a processor: for tests on machines
// without a GPU. Kernels are compiled by g++ with emulate.h. The kernels of a graph run in an order
// that its edges allow and that is as far from that of its making as they do.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

typedef uint64_t address;
struct kernel {
  void (*call)(void**, int);
  int args;
};
struct node {
  kernel* k;
  int blocks;
  std::vector<void*> args;
  std::vector<int> after;
};
typedef std::vector<node> graph;

static std::string setting(const char* name, const char* otherwise) {
  const char* v = getenv(name);
  return v ? v : otherwise;
}

extern "C" {
int cuInit(unsigned) { return setting("MOCK_DEVICES", "1") == "0" ? 100 : 0; }
int cuDriverGetVersion(int* v) { return *v = 13000, 0; }
int cuDeviceGetCount(int* n) { return *n = 1, 0; }
int cuDeviceGet(int* d, int) { return *d = 0, 0; }
int cuDeviceGetName(char* name, int n, int) {
  strncpy(name, setting("MOCK_NAME", "a processor").c_str(), n);
  return 0;
}
int cuDeviceGetAttribute(int* v, int attribute, int) { return *v = attribute == 75 ? 9 : 0, 0; }
int cuDevicePrimaryCtxRetain(void** c, int) { return *c = (void*)1, 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuMemGetInfo_v2(uint64_t* free, uint64_t* total) {
  *free = *total = strtoull(setting("MOCK_MEMORY", "4294967296").c_str(), nullptr, 10);
  return 0;
}
int cuMemAlloc_v2(address* p, uint64_t n) {
  return *p = (address)aligned_alloc(256, (n + 255) / 256 * 256), 0;
}
int cuMemsetD8_v2(address p, unsigned char v, uint64_t n) { return memset((void*)p, v, n), 0; }
int cuMemcpyHtoDAsync_v2(address to, const void* from, uint64_t n, void*) {
  return memcpy((void*)to, from, n), 0;
}
int cuMemcpyDtoHAsync_v2(void* to, address from, uint64_t n, void*) {
  return memcpy(to, (void*)from, n), 0;
}
int cuStreamCreate(void** s, unsigned) { return *s = (void*)1, 0; }
int cuStreamSynchronize(void*) { return 0; }
int cuModuleLoadData(void** m, const char* image) {
  *m = dlopen(image, RTLD_NOW | RTLD_LOCAL);
  if (!*m) fprintf(stderr, "%s\n", dlerror());
  return *m ? 0 : 200;
}
int cuModuleGetFunction(kernel** k, void* m, const char* name) {
  std::string n = name;
  void* call = dlsym(m, ("call_" + n).c_str());
  int* args = (int*)dlsym(m, ("args_" + n).c_str());
  if (!call || !args) return 500;
  *k = new kernel{(void (*)(void**, int))call, *args};
  return 0;
}
int cuGraphCreate(graph** g, unsigned) { return *g = new graph, 0; }
struct params {
  kernel* k;
  unsigned grid[3], block[3], shared;
  void **values, **extra;
  void *kern, *context;
};
int cuGraphAddKernelNode_v2(uint64_t* n, graph* g, const uint64_t* after, uint64_t count,
                            const params* p) {
  node x{p->k, (int)p->grid[0]};
  if (p->block[0] != 256 || p->grid[1] != 1 || p->grid[2] != 1 || p->shared != 0) return 1;
  for (int i = 0; i < p->k->args; i++) x.args.push_back(*(void**)p->values[i]);
  for (uint64_t i = 0; i < count; i++) x.after.push_back((int)after[i] - 1);
  g->push_back(x);
  *n = g->size();
  return 0;
}
int cuGraphInstantiateWithFlags(graph** i, graph* g, uint64_t) { return *i = g, 0; }
int cuGraphLaunch(graph* g, void*) {
  std::vector<bool> done(g->size());
  for (size_t left = g->size(); left > 0; left--) {
    for (int i = (int)g->size() - 1; i >= 0; i--) {
      bool ready = !done[i];
      for (int j : (*g)[i].after) ready = ready && done[j];
      if (!ready) continue;
      (*g)[i].k->call((*g)[i].args.data(), (*g)[i].blocks);
      done[i] = true;
      break;
    }
  }
  return 0;
}
int cuGetErrorString(int, const char** s) { return *s = "an error", 0; }

struct program {
  std::string text, log, path;
};
int nvrtcVersion(int* a, int* b) { return *a = 13, *b = 0, 0; }
int nvrtcCreateProgram(program** p, const char* text, const char*, int, void*, void*) {
  return *p = new program{text}, 0;
}
int nvrtcCompileProgram(program* p, int n, const char** options) {
  if (n < 1 || std::string(options[0]) != "--gpu-architecture=sm_90") return 5;
  std::string dir = setting("MOCK_DIR", "/tmp"), base = dir + "/kernels-" + std::to_string(getpid());
  std::string text = "#include \"" + setting("MOCK_HEADER", "emulate.h") + "\"\n" + p->text;
  std::string calls;
  std::regex find("__global__ void (?:__launch_bounds__\\([0-9, ]+\\) )?(\\w+)\\(([^)]*)\\)");
  for (std::sregex_iterator i(p->text.begin(), p->text.end(), find), end; i != end; ++i) {
    std::string name = (*i)[1], list = (*i)[2], args;
    int count = 0;
    std::regex one("([^,]*[* ])\\w+\\s*(?:,|$)");
    for (std::sregex_iterator j(list.begin(), list.end(), one); j != end; ++j)
      args += (count ? ", (" : "(") + (*j)[1].str() + ")a[" + std::to_string(count) + "]", count++;
    calls += "static void** arg_" + name + ";\nstatic void body_" + name + "() { void** a = arg_" +
             name + "; " + name + "(" + args + "); }\nextern \"C\" int args_" + name + " = " +
             std::to_string(count) + ";\nextern \"C\" void call_" + name +
             "(void** a, int blocks) { arg_" + name + " = a; emu::body = body_" + name +
             "; emu::run(blocks); }\n";
  }
  std::ofstream(base + ".cpp") << text << calls;
  p->path = base + ".so";
  std::string command = "g++ -std=c++17 -O2 -w -fPIC -shared -U_FORTIFY_SOURCE -ffp-contract=off -o '" +
                        p->path + "' '" + base + ".cpp' 2>'" + base + ".log'";
  if (system(command.c_str()) != 0) {
    std::ifstream log(base + ".log");
    p->log.assign(std::istreambuf_iterator<char>(log), {});
    return 6;
  }
  return 0;
}
int nvrtcGetProgramLogSize(program* p, uint64_t* n) { return *n = p->log.size() + 1, 0; }
int nvrtcGetProgramLog(program* p, char* s) { return memcpy(s, p->log.c_str(), p->log.size() + 1), 0; }
int nvrtcGetCUBINSize(program* p, uint64_t* n) { return *n = p->path.size() + 1, 0; }
int nvrtcGetCUBIN(program* p, char* s) { return memcpy(s, p->path.c_str(), p->path.size() + 1), 0; }
int nvrtcGetPTXSize(program* p, uint64_t* n) { return nvrtcGetCUBINSize(p, n); }
int nvrtcGetPTX(program* p, char* s) { return nvrtcGetCUBIN(p, s); }
const char* nvrtcGetErrorString(int) { return "an error of the compiler"; }
}
